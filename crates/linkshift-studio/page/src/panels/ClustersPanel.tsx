// All clusters: rename in place, look at one, merge several; and the links that are in doubt.

import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { askAgain, merge, rename } from '../actions'
import { count, percent, plural } from '../format'
import { Icon } from '../parts/icons'
import { ItemList } from '../parts/ItemList'
import { Swatch } from '../parts/Swatch'
import { activeCluster, clustersById, held, labels, select, selectNothing, state, tab } from '../store'
import { theMap } from '../map/MapView'
import type { BadLink, Cluster } from '../types'
import { Bar } from './Counts'

const AT_ONCE = 100

/** Clusters that are ticked, to be merged. */
const ticked = signal<ReadonlySet<number>>(new Set())

function toggle(id: number) {
  const next = new Set(ticked.value)
  if (!next.delete(id)) next.add(id)
  ticked.value = next
}

function membersOf(ids: ReadonlySet<number>): number[] {
  const out: number[] = []
  labels.value?.forEach((label, row) => ids.has(label) && out.push(row))
  return out
}

function Rename({ cluster, done }: { cluster: Cluster; done: () => void }) {
  const [name, setName] = useState(cluster.name)
  const save = (event: Event) => {
    event.preventDefault()
    if (name.trim() !== '' && name !== cluster.name) rename(cluster.id, name.trim())
    done()
  }
  return (
    <form class="rename" onSubmit={save}>
      <input
        type="text"
        aria-label={`New name of ${cluster.name}`}
        value={name}
        maxLength={200}
        ref={(input) => {
          if (input && document.activeElement !== input && !input.dataset.seen) {
            input.dataset.seen = 'yes'
            input.focus()
            input.select()
          }
        }}
        onInput={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && done()}
      />
      <button type="submit">Save</button>
    </form>
  )
}

function Detail({ cluster }: { cluster: Cluster }) {
  return (
    <div class="detail">
      {cluster.share && (
        <p class="share-line">
          <Bar share={cluster.share.value} low={cluster.share.low} high={cluster.share.high} />
          <span class="quiet">
            about {percent(cluster.share.value)} of its pairs right ({percent(cluster.share.low)}–{percent(cluster.share.high)})
          </span>
        </p>
      )}
      <div class="buttons">
        <button type="button" onClick={() => { select(membersOf(new Set([cluster.id]))); tab.value = 'selection' }}>Select its items</button>
        <button type="button" onClick={() => theMap()?.show(membersOf(new Set([cluster.id])))}>Show on map</button>
      </div>
      {cluster.typical.length > 0 && (
        <>
          <h4>Typical</h4>
          <ItemList rows={cluster.typical} label={`Typical items of ${cluster.name}`} />
        </>
      )}
      {cluster.doubtful.length > 0 && (
        <>
          <h4>Doubtful</h4>
          <ItemList rows={cluster.doubtful} label={`Doubtful items of ${cluster.name}`} />
        </>
      )}
    </div>
  )
}

function Line({ cluster, first }: { cluster: Cluster; first: boolean }) {
  const [renaming, setRenaming] = useState(false)
  const active = activeCluster.value === cluster.id
  const look = () => {
    const next = active ? null : cluster.id
    selectNothing()
    activeCluster.value = next
  }
  return (
    <li class={active ? 'cluster active' : 'cluster'} data-cluster={cluster.id}>
      <div class="cluster-line">
        <input type="checkbox" aria-label={`Tick ${cluster.name} to merge it`} checked={ticked.value.has(cluster.id)} onChange={() => toggle(cluster.id)} />
        <Swatch cluster={cluster.id} />
        {renaming ? (
          <Rename cluster={cluster} done={() => setRenaming(false)} />
        ) : (
          <>
            <button
              type="button"
              class={cluster.named ? 'cluster-name named' : 'cluster-name'}
              tabIndex={first ? 0 : -1}
              aria-expanded={active}
              onClick={look}
              onDblClick={() => setRenaming(true)}
              onKeyDown={(event) => event.key === 'F2' && setRenaming(true)}
            >
              <bdi>{cluster.name}</bdi>
            </button>
            <button type="button" class="square faint" aria-label={`Rename ${cluster.name}`} title="Rename (F2)" onClick={() => setRenaming(true)}>
              <Icon name="pencil" size={14} />
            </button>
          </>
        )}
        {cluster.n_broken > 0 && <span class="tag broken" title={plural(cluster.n_broken, 'broken link')}>✕ {cluster.n_broken}</span>}
        {cluster.n_suspects > 0 && <span class="tag suspect" title={plural(cluster.n_suspects, 'suspect link')}>? {cluster.n_suspects}</span>}
        {cluster.share && <span class="quiet number" title="expected share of right pairs">{percent(cluster.share.value)}</span>}
        <span class="number size" title="items">{count(cluster.size)}</span>
      </div>
      {active && <Detail cluster={cluster} />}
    </li>
  )
}

function DoubtfulLinks() {
  const links = state.value?.links
  if (!links || links.broken.length + links.suspects.length === 0) return null
  const line = (link: BadLink, what: 'broken' | 'suspect') => (
    <li key={`${what}${link.a},${link.b}`}>
      <span class={`tag ${what}`}>{what === 'broken' ? '✕ broken' : '? suspect'}</span>
      <span class="bad-words">
        {link.kind === 'must' ? 'Said to belong together: ' : 'Said to be different: '}
        <bdi>{link.names[0]}</bdi> and <bdi>{link.names[1]}</bdi>. <bdi class="quiet">{link.reason}</bdi>
        {link.likely ? <span class="quiet"> More likely: {link.likely}.</span> : null}
      </span>
      <span class="buttons">
        <button type="button" onClick={() => { askAgain(link.a, link.b); tab.value = 'question' }}>Ask me again</button>
        <button type="button" onClick={() => { held.value = [link.a, link.b]; theMap()?.show([link.a, link.b]) }}>Show</button>
      </span>
    </li>
  )
  return (
    <details class="doubtful" open={links.broken.length + links.suspects.length <= 3}>
      <summary>
        {[
          links.n_broken > 0 ? plural(links.n_broken, 'broken link') : '',
          links.n_suspects > 0 ? plural(links.n_suspects, 'suspect link') : '',
        ].filter(Boolean).join(', ')}
      </summary>
      <ul>
        {links.broken.map((link) => line(link, 'broken'))}
        {links.suspects.map((link) => line(link, 'suspect'))}
      </ul>
    </details>
  )
}

export function ClustersPanel() {
  const [filter, setFilter] = useState('')
  const [shown, setShown] = useState(AT_ONCE)
  const now = state.value
  if (!now) return null
  const active = activeCluster.value
  const word = filter.toLowerCase()
  const found = now.clusters.filter((cluster) => cluster.name.toLowerCase().includes(word))
  const sorted = found.sort((a, b) => b.size - a.size || a.id - b.id)
  const listed = sorted.slice(0, shown)
  const beyond = active === null ? undefined : clustersById.value.get(active)
  if (beyond && !listed.includes(beyond)) listed.unshift(beyond)
  const chosen = [...ticked.value].filter((id) => clustersById.value.has(id))
  const inClusters = now.clusters.reduce((sum, cluster) => sum + cluster.size, 0)
  return (
    <div class="clusters">
      <DoubtfulLinks />
      <p class="quiet">
        {now.clusters.length === 0
          ? 'No clusters yet. Answer a few questions, or press Fit.'
          : `${plural(now.clusters.length, 'cluster')} of ${plural(inClusters, 'item')}` +
            (inClusters < now.n_rows ? `; ${plural(now.n_rows - inClusters, 'item')} in none` : '') +
            (now.labels.source === 'fit' ? ', by the full fit' : ', by the answers so far')}
      </p>
      {now.clusters.length > 12 && (
        <input type="search" class="filter" placeholder="Find a cluster by name" aria-label="Find a cluster by name" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
      )}
      {chosen.length > 0 && (
        <div class="merge-bar" role="group" aria-label="Ticked clusters">
          <span>{plural(chosen.length, 'cluster')} ticked</span>
          <button type="button" class="strong" disabled={chosen.length < 2} onClick={() => { merge(chosen); ticked.value = new Set() }}>
            Merge {chosen.length < 2 ? '(tick two or more)' : chosen.length}
          </button>
          <button type="button" onClick={() => select(membersOf(new Set(chosen)))}>Select on map</button>
          <button type="button" onClick={() => (ticked.value = new Set())}>Clear</button>
        </div>
      )}
      <ul class="cluster-list" aria-label="Clusters" onKeyDown={(event) => {
        // Arrows go from name to name; within an open cluster its own lists take them.
        const target = event.target as HTMLElement
        if (target.classList.contains('cluster-name')) moveAmongNames(event)
      }}>
        {listed.map((cluster, i) => <Line cluster={cluster} first={i === 0} key={cluster.id} />)}
      </ul>
      {sorted.length > shown && (
        <button type="button" class="plain" onClick={() => setShown(shown + AT_ONCE)}>
          Show more ({count(shown)} of {count(sorted.length)} listed)
        </button>
      )}
    </div>
  )
}

function moveAmongNames(event: KeyboardEvent) {
  if (!['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(event.key)) return
  const names = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('.cluster-name')]
  const now = names.indexOf(event.target as HTMLElement)
  const next = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: names.length - 1 }[event.key] ?? now
  event.preventDefault()
  names[(next + names.length) % names.length]?.focus()
}

