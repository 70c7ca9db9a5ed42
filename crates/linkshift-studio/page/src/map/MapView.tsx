// The map with its tools, its legend, and the card of the item under the pointer.

import { useEffect, useRef, useState } from 'preact/hooks'
import { layOut, report } from '../actions'
import { count, percent, plural } from '../format'
import { Icon, type IconName } from '../parts/icons'
import { Picture } from '../parts/Item'
import { Swatch } from '../parts/Swatch'
import { useRows } from '../rows'
import { clusterOf, hovered, job, links, positions, question, rowsOf, showLinks, showNames, state, tool } from '../store'
import { MapEngine } from './engine'
import { NoWebGl } from './renderer'

let engine: MapEngine | null = null

/** The map that is on the page, if there is one. */
export function theMap(): MapEngine | null {
  return engine
}

// For tests: where points are on the screen, and how often they were drawn.
Object.assign(window, { linkshiftMap: theMap })

function Button(props: { icon: IconName; text: string; on?: boolean; onClick: (event: MouseEvent) => void }) {
  return (
    <button type="button" class={props.on ? 'square on' : 'square'} aria-label={props.text} title={props.text} aria-pressed={props.on} onClick={props.onClick}>
      <Icon name={props.icon} />
    </button>
  )
}

function Tools() {
  return (
    <div class="tools" role="toolbar" aria-label="Map tools">
      <Button icon="hand" text="Pan and click (v)" on={tool.value === 'pan'} onClick={() => (tool.value = 'pan')} />
      <Button icon="lasso" text="Lasso (l); shift adds, alt takes away" on={tool.value === 'lasso'} onClick={() => (tool.value = 'lasso')} />
      <Button icon="rectangle" text="Rectangle (r); shift adds, alt takes away" on={tool.value === 'rectangle'} onClick={() => (tool.value = 'rectangle')} />
      <Button icon="view" text="Select what is in view (e)" onClick={(event) => engine?.selectVisible(event.altKey ? 'remove' : event.shiftKey ? 'add' : 'replace')} />
      <hr />
      <Button icon="plus" text="Zoom in (+)" onClick={() => engine?.zoom(1.5)} />
      <Button icon="minus" text="Zoom out (−)" onClick={() => engine?.zoom(1 / 1.5)} />
      <Button icon="whole" text="The whole map (a)" onClick={() => engine?.showAll()} />
      {rowsOf(question.value).length > 0 && <Button icon="aim" text="The points of the question (c)" onClick={() => engine?.showQuestion()} />}
      <hr />
      <Button icon="names" text="Names of clusters" on={showNames.value} onClick={() => (showNames.value = !showNames.value)} />
      <Button icon="links" text="Links that are kept" on={showLinks.value} onClick={() => (showLinks.value = !showLinks.value)} />
    </div>
  )
}

function Legend() {
  const now = state.value
  if (!now) return null
  const { kind, explained } = now.positions
  const kept = links.value.filter((link) => link[3] === 0).length
  const names: Record<string, string> = { pca: 'principal components', neighbors: 'neighbours near each other' }
  const how = names[kind] ?? kind
  return (
    <p class="legend">
      <span title="How the two dimensions of the map were made">
        {how}{explained !== null && explained !== undefined ? `, ${percent(explained)} of the variance` : ''}
      </span>
      {kind === 'pca' && now.n_rows > 2 && job.value === null && (
        <button type="button" class="plain" title="Lay out the map anew, so that neighbours are near each other" onClick={layOut}>lay out by neighbours</button>
      )}
      {kept > 0 && <span>{showLinks.value ? '' : 'hidden: '}{plural(kept, 'link')} kept (must —, cannot ┄)</span>}
      {now.links.n_broken > 0 && <span class="broken">✕ {count(now.links.n_broken)} broken</span>}
      {now.links.n_suspects > 0 && <span class="suspect">? {count(now.links.n_suspects)} suspect</span>}
    </p>
  )
}

function Tip() {
  const row = hovered.value
  const [item] = useRows(row === null ? [] : [row])
  if (row === null || !engine) return null
  // Beside the point, on the side with more room.
  const [x, y] = engine.placeOf(row)
  const { width, height } = engine.camera
  if (x < 0 || y < 0 || x > width || y > height) return null
  const style = {
    left: x < width / 2 ? `${x + 16}px` : 'auto',
    right: x < width / 2 ? 'auto' : `${width - x + 16}px`,
    top: y < height * 0.6 ? `${Math.max(y - 10, 8)}px` : 'auto',
    bottom: y < height * 0.6 ? 'auto' : `${Math.max(height - y - 10, 8)}px`,
  }
  const cluster = clusterOf(row)
  return (
    <div class="tip" style={style} role="tooltip">
      <strong><bdi>{item?.id ?? `row ${row}`}</bdi></strong>
      <span class="tip-cluster">
        <Swatch cluster={cluster?.id ?? -1} /> <bdi>{cluster?.name ?? 'in no cluster'}</bdi>
        {cluster && <span class="quiet"> no. {cluster.id}</span>}
        {item?.chance !== null && item?.chance !== undefined && <span class="quiet"> {percent(item.chance)}</span>}
      </span>
      {item && <Picture row={item} />}
      {item?.text && <p><bdi>{item.text.slice(0, 160)}{item.text.length > 160 ? '…' : ''}</bdi></p>}
      {item && item.fields.slice(0, 4).map(([name, value]) => (
        <span class="tip-field" key={name}><bdi class="quiet">{name}</bdi> <bdi>{value.slice(0, 80)}</bdi></span>
      ))}
    </div>
  )
}

/** What is special about the data, where a map has little to show. */
function Special() {
  const now = state.value
  const at = positions.value
  if (!now) return null
  if (now.n_rows === 0) return <p class="special">This file has no rows. Start the studio with one that has.</p>
  if (now.n_rows === 1) return <p class="special">There is one row, so there is nothing to sort. Its item is shown by a click on the point.</p>
  if (at && at.every((value, i) => value === at[i % 2])) {
    return <p class="special">All {plural(now.n_rows, 'point')} lie at the same place: their features are equal. Choose other columns to tell them apart.</p>
  }
  return null
}

const STEP = 60

export function MapView() {
  const points = useRef<HTMLCanvasElement>(null)
  const above = useRef<HTMLCanvasElement>(null)
  const [missing, setMissing] = useState(false)
  useEffect(() => {
    try {
      engine = new MapEngine(points.current as HTMLCanvasElement, above.current as HTMLCanvasElement)
    } catch (error) {
      setMissing(true)
      if (!(error instanceof NoWebGl)) report(error)
      return
    }
    return () => {
      engine?.stop()
      engine = null
    }
  }, [])
  const focus = (focused: boolean) => {
    if (!engine) return
    engine.focused = focused && (above.current?.matches(':focus-visible') ?? false)
    engine.redraw(false)
  }
  const keys = (event: KeyboardEvent) => {
    if (!engine || event.ctrlKey || event.metaKey) return
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [STEP, 0], ArrowRight: [-STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP],
    }
    const step = steps[event.key]
    if (step) engine.pan(...step)
    else if (event.key === '+' || event.key === '=') engine.zoom(1.4)
    else if (event.key === '-') engine.zoom(1 / 1.4)
    else if (event.key === 'Enter') engine.holdMiddle()
    else return
    focus(true)
    event.preventDefault()
  }
  return (
    <section class="map" aria-label="Map of all items">
      <div class="canvas-box">
        <canvas ref={points} class="points" />
        <canvas
          ref={above}
          class={tool.value === 'pan' ? 'above' : 'above drawing'}
          tabIndex={0}
          role="application"
          aria-label="Map: arrows pan, plus and minus zoom, enter holds the item in the middle, e selects what is in view"
          onKeyDown={keys}
          onFocus={() => focus(true)}
          onBlur={() => focus(false)}
        />
        {missing && (
          <p class="special">
            The map needs WebGL2, which this browser does not offer. Turn on hardware acceleration, or use
            another browser. Questions, clusters and exports work without it.
          </p>
        )}
        {!missing && !positions.value && <p class="special quiet">The map is being made…</p>}
        <Special />
        <Tip />
      </div>
      {!missing && <Tools />}
      <Legend />
    </section>
  )
}
