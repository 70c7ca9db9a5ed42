// What is held and what is selected, and what can be said of them.

import { useEffect, useState } from 'preact/hooks'
import { answerHeld, askAgain, exportSelection, move, notThese, report, together } from '../actions'
import { get } from '../api'
import { count, plural } from '../format'
import { Compare, ItemCard } from '../parts/Item'
import { ItemList } from '../parts/ItemList'
import { Swatch } from '../parts/Swatch'
import { useRows } from '../rows'
import { busy, clustersById, held, labels, select, selectedRows, selectNothing, state, tab } from '../store'
import { theMap } from '../map/MapView'

/** Which clusters the rows are in, the largest part first; −1 for none. */
function partsOf(rows: number[]): [number, number][] {
  const counts = new Map<number, number>()
  for (const row of rows) {
    const label = labels.value?.[row] ?? -1
    counts.set(label, (counts.get(label) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1])
}

function Why({ a, b }: { a: number; b: number }) {
  const [said, setSaid] = useState<string | null>(null)
  useEffect(() => setSaid(null), [a, b, state.value?.labels.revision])
  const ask = () =>
    get<{ text: string }>(`/api/why?a=${a}&b=${b}`).then((reply) => setSaid(reply.text), report)
  const [one, two] = [labels.value?.[a] ?? -1, labels.value?.[b] ?? -1]
  const apart = one !== two || one < 0
  return (
    <>
      <button type="button" onClick={ask}>Why are these two {apart ? 'apart' : 'together'}?</button>
      {said !== null && <p class="why" role="status"><bdi>{said}</bdi></p>}
    </>
  )
}

function Held() {
  const rows = held.value
  const found = useRows(rows)
  if (rows.length === 0) return null
  const [a, b] = found
  return (
    <section class="held-items" aria-label="Held items">
      <header class="section-head">
        <h3>{rows.length === 2 ? 'Two held items' : 'Held item'}</h3>
        <button type="button" class="plain" onClick={() => theMap()?.show(rows)}>Show</button>
        <button type="button" class="plain" onClick={() => (held.value = [])}>Let go</button>
      </header>
      {rows.length === 1 && (a ? <ItemCard row={a} /> : <p class="quiet">Fetching row {rows[0]}…</p>)}
      {rows.length === 1 && <p class="quiet small">Click another point to compare the two.</p>}
      {rows.length === 2 && (
        <>
          {a && b ? <Compare a={a} b={b} names={['1', '2']} /> : <p class="quiet">Fetching the two items…</p>}
          <div class="buttons">
            <button type="button" onClick={() => answerHeld('same')}>They are the same</button>
            <button type="button" onClick={() => answerHeld('different')}>They are different</button>
            <button type="button" onClick={() => { askAgain(rows[0], rows[1]); tab.value = 'question' }}>Ask me about them</button>
          </div>
          <Why a={rows[0]} b={rows[1]} />
        </>
      )}
      {rows.length === 1 && <MoveTo rows={rows} />}
    </section>
  )
}

function MoveTo({ rows }: { rows: number[] }) {
  const clusters = [...(state.value?.clusters ?? [])].sort((a, b) => b.size - a.size)
  const [target, setTarget] = useState('')
  if (clusters.length === 0) return null
  return (
    <form
      class="move"
      onSubmit={(event) => {
        event.preventDefault()
        if (target !== '') move(rows, Number(target))
      }}
    >
      <label>
        <span>Move {rows.length === 1 ? 'it' : 'them'} to</span>
        <select value={target} onChange={(event) => setTarget(event.currentTarget.value)}>
          <option value="">a cluster…</option>
          {clusters.map((cluster) => (
            <option value={`${cluster.id}`} key={cluster.id}>{cluster.name} ({count(cluster.size)})</option>
          ))}
        </select>
      </label>
      <button type="submit" disabled={target === '' || busy.value}>Move</button>
    </form>
  )
}

function Selected() {
  const rows = selectedRows.value
  const [asOne, setAsOne] = useState(true)
  if (rows.length === 0) {
    return (
      <section class="pad">
        <h3>Nothing is selected</h3>
        <p class="quiet">
          Draw around points with the lasso or the rectangle on the map; shift adds, alt takes away.
          Without a mouse: zoom in with + and arrows, then “select what is in view”; search; or a
          cluster’s “select its items”.
        </p>
      </section>
    )
  }
  const parts = partsOf(rows)
  const [[main, nMain]] = parts
  const mainCluster = clustersById.value.get(main)
  const inMain = mainCluster ? rows.filter((row) => labels.value?.[row] === main) : []
  return (
    <section class="selected" aria-label="Selection">
      <header class="section-head">
        <h3 data-selected={rows.length}>{plural(rows.length, 'item')} selected</h3>
        <button type="button" class="plain" onClick={() => theMap()?.show(rows)}>Show</button>
        <button type="button" class="plain" onClick={selectNothing}>Clear</button>
      </header>
      <ul class="parts">
        {parts.slice(0, 8).map(([id, n]) => (
          <li key={id}>
            <Swatch cluster={id} /> <bdi>{clustersById.value.get(id)?.name ?? 'in no cluster'}</bdi> <span class="quiet">{count(n)}</span>
            {parts.length > 1 && (
              <button type="button" class="plain" onClick={() => select(rows.filter((row) => (labels.value?.[row] ?? -1) === id))}>only these</button>
            )}
          </li>
        ))}
        {parts.length > 8 && <li class="quiet">and {parts.length - 8} more clusters</li>}
      </ul>
      <div class="corrections">
        <button type="button" class="strong" disabled={rows.length < 2 || busy.value} onClick={together} title={`${plural(Math.max(rows.length - 1, 0), 'must-link')}, at most`}>
          These all belong together
        </button>
        {mainCluster && (
          <div class="not-these">
            <button type="button" disabled={busy.value || nMain === mainCluster.size} onClick={() => notThese(main, inMain, asOne)}
              title={nMain === mainCluster.size ? 'The whole cluster is selected' : undefined}>
              Not {nMain === rows.length ? 'these' : `${count(nMain)} of these`}: leave <bdi>{mainCluster.name}</bdi>
            </button>
            <label class="check">
              <input type="checkbox" checked={asOne} onChange={() => setAsOne(!asOne)} /> as one new cluster
            </label>
          </div>
        )}
        <MoveTo rows={rows} />
        <button type="button" onClick={exportSelection}>Export their ids (CSV)</button>
      </div>
      <ItemList rows={rows} label="Selected items" />
    </section>
  )
}

export function SelectionPanel() {
  return (
    <div class="selection">
      <Held />
      <Selected />
    </div>
  )
}
