// The map without its buttons: a canvas for points, one above it, and what the pointer does.
// It listens to the store and draws when something changed, the points apart from the rest.

import { effect } from '@preact/signals'
import {
  activeCluster, dark, held, hold, hovered, labels, links, marked, positions, question, rowsOf, select,
  selection, showLinks, showNames, state, tab, tool,
} from '../store'
import { anchors } from './names'
import { around, type Camera, fitScale, normalised, panned, toData, toScreen, zoomed } from './camera'
import { Grid } from './grid'
import { inside } from './lasso'
import { drawOverlay } from './overlay'
import { DARK, LIGHT, Renderer } from './renderer'

/** A pointer that moved less than this many pixels was a click. */
const CLICK = 4
const REACH = 12
const GLIDE_MS = 600
/** Larger maps jump to their new places: a frame of theirs takes long without a graphics card. */
const MOST_GLIDING = 200_000

/** One byte for each row that is not to be grey; null where none is. */
function lookedAt(active: number | null, mask: Uint8Array | null, now: Int32Array | null): Uint8Array | null {
  if (active === null || !now) return mask
  const on = new Uint8Array(now.length)
  for (let row = 0; row < on.length; row++) on[row] = now[row] === active ? 1 : 0
  return on
}

export class MapEngine {
  camera: Camera = { x: 0, y: 0, scale: 100, width: 1, height: 1 }
  private renderer: Renderer
  private readonly g: CanvasRenderingContext2D
  private readonly stops: (() => void)[] = []
  private raw: Float32Array | null = null
  private xy: Float32Array = new Float32Array(0)
  private extent: [number, number] = [1, 1]
  private grid: Grid | null = null
  private names = new Map<number, [number, number]>()
  private outline: [number, number][] = []
  private pointers = new Map<number, [number, number]>()
  private drag: { from: [number, number]; far: number; tool: string; how: 'replace' | 'add' | 'remove' } | null = null
  private pointsChanged = true
  private frame = 0
  private glideStart = 0
  private seen = false
  /** Whether the camera still shows the whole map, and follows the window's size. */
  private whole = true
  focused = false
  /** For measurements: frames with points that were drawn. */
  frames = 0

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly above: HTMLCanvasElement,
  ) {
    this.renderer = new Renderer(canvas)
    this.g = above.getContext('2d') as CanvasRenderingContext2D
    this.listen()
    this.follow()
    const observer = new ResizeObserver(() => this.resize())
    observer.observe(canvas.parentElement as HTMLElement)
    this.stops.push(() => observer.disconnect())
    this.resize()
  }

  stop() {
    cancelAnimationFrame(this.frame)
    this.stops.forEach((stop) => stop())
  }

  private follow() {
    const follow = (work: () => void) => this.stops.push(effect(work))
    // Each of them needs the newest map first, whichever is called first.
    follow(() => {
      this.placed()
    })
    follow(() => {
      if (!this.placed()) return
      const now = labels.value
      this.renderer.setLabels(now)
      this.names = now ? anchors(this.xy, now) : new Map()
      this.redraw(true)
    })
    follow(() => {
      if (!this.placed()) return
      this.renderer.setOn(lookedAt(activeCluster.value, selection.value, labels.value))
      this.redraw(true)
    })
    follow(() => {
      if (!this.placed()) return
      this.renderer.setLinks(this.xy, links.value)
      this.redraw(true)
    })
    follow(() => {
      this.renderer.setTheme(dark.value)
      void showLinks.value
      this.redraw(true)
    })
    follow(() => {
      void [question.value, held.value, hovered.value, marked.value, showNames.value, state.value, tab.value]
      this.redraw(false)
    })
  }

  /** Lays out the newest map if it is not yet; says whether there is one. */
  private placed(): boolean {
    const raw = positions.value
    if (!raw || raw === this.raw) return raw !== null
    this.raw = raw
    const { xy, extent } = normalised(raw)
    this.xy = xy
    this.extent = extent
    this.grid = new Grid(xy)
    const same = this.renderer.setPositions(xy)
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
    if (same && this.seen && !calm && xy.length / 2 <= MOST_GLIDING) {
      this.renderer.moved = 0
      this.glideStart = performance.now()
    }
    if (!this.seen || this.whole) this.showAll()
    this.seen = true
    this.redraw(true)
    return true
  }

  private resize() {
    const box = (this.canvas.parentElement as HTMLElement).getBoundingClientRect()
    const ratio = window.devicePixelRatio || 1
    const [width, height] = [Math.max(1, Math.round(box.width)), Math.max(1, Math.round(box.height))]
    for (const canvas of [this.canvas, this.above]) {
      canvas.width = Math.round(width * ratio)
      canvas.height = Math.round(height * ratio)
    }
    this.camera = { ...this.camera, width, height }
    if (this.whole) this.showAll()
    this.redraw(true)
  }

  /** For measurements: how many points the map has, after all of them are drawn. */
  finish(): number {
    this.renderer.finish()
    return this.xy.length / 2
  }

  redraw(points: boolean) {
    this.pointsChanged ||= points
    this.frame ||= requestAnimationFrame(() => this.draw())
  }

  private draw() {
    this.frame = 0
    const ratio = window.devicePixelRatio || 1
    if (this.renderer.moved < 1) {
      const t = Math.min(1, (performance.now() - this.glideStart) / GLIDE_MS)
      this.renderer.moved = t * t * (3 - 2 * t)
      this.pointsChanged = true
    }
    if (this.pointsChanged) {
      this.pointsChanged = false
      this.renderer.draw(this.camera, ratio, showLinks.peek())
      this.frames++
    }
    const isDark = dark.peek()
    const still = this.renderer.moved >= 1
    this.g.setTransform(ratio, 0, 0, ratio, 0, 0)
    drawOverlay(this.g, {
      camera: this.camera,
      xy: this.xy,
      colors: isDark ? DARK : LIGHT,
      ink: isDark ? '#f2f2f5' : '#28282e',
      accent: isDark ? '#ffffff' : '#111114',
      links: still ? links.peek() : [],
      clusters: state.peek()?.clusters ?? [],
      anchors: still ? this.names : new Map(),
      active: activeCluster.peek(),
      showNames: showNames.peek(),
      question: still && tab.peek() === 'question' ? question.peek() : null,
      hovered: hovered.peek() ?? marked.peek(),
      held: held.peek(),
      outline: this.outline,
      crosshair: this.focused,
    })
    if (!still) this.redraw(true)
  }

  // ── where the window looks ────────────────────────────────────────────────

  private look(camera: Camera, whole = false) {
    this.camera = camera
    this.whole = whole
    this.redraw(true)
  }

  /** The whole map, beside the tools and above the legend. */
  showAll() {
    const { width, height } = this.camera
    const narrow = width < 500
    const [left, top, right, bottom] = narrow ? [14, 50, 14, 44] : [64, 18, 22, 38]
    const [ex, ey] = this.extent
    const scale = Math.min(
      Math.max(width - left - right, 40) / 2 / Math.max(ex, 0.05),
      Math.max(height - top - bottom, 40) / 2 / Math.max(ey, 0.05),
      fitScale(width, height) * 4,
    )
    const [x, y] = [(right - left) / 2 / scale, (top - bottom) / 2 / scale]
    this.look({ ...this.camera, x, y, scale }, true)
  }

  show(rows: number[]) {
    const known = rows.filter((row) => 2 * row + 1 < this.xy.length)
    if (known.length === 0) return
    let box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity]
    for (const row of known) {
      const [x, y] = [this.xy[2 * row], this.xy[2 * row + 1]]
      box = [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y)]
    }
    this.look(around(this.camera, box))
  }

  showQuestion() {
    this.show(rowsOf(question.peek()))
  }

  zoom(factor: number) {
    this.look(zoomed(this.camera, factor, this.camera.width / 2, this.camera.height / 2))
  }

  pan(dx: number, dy: number) {
    this.look(panned(this.camera, dx, dy))
  }

  /** Selects all that the window shows: the way to a region for those without a mouse. */
  selectVisible(how: 'replace' | 'add' | 'remove' = 'replace') {
    const { width, height } = this.camera
    this.choose([[0, 0], [width, 0], [width, height], [0, height]], how)
  }

  holdMiddle() {
    const row = this.at(this.camera.width / 2, this.camera.height / 2, 60)
    if (row !== null) this.holdAt(row)
  }

  /** Where a row is in the window. */
  placeOf(row: number): [number, number] {
    return toScreen(this.camera, this.xy[2 * row], this.xy[2 * row + 1])
  }

  private at(x: number, y: number, reach = REACH): number | null {
    const [dx, dy] = toData(this.camera, x, y)
    const [now, active, mask] = [labels.peek(), activeCluster.peek(), selection.peek()]
    const prefer =
      active !== null ? (row: number) => now?.[row] === active : mask ? (row: number) => mask[row] === 1 : undefined
    return this.grid?.nearest(dx, dy, reach / this.camera.scale, prefer) ?? null
  }

  private holdAt(row: number) {
    hold(row)
    if (held.peek().includes(row)) tab.value = 'selection'
  }

  private choose(outline: [number, number][], how: 'replace' | 'add' | 'remove') {
    const rows = inside(this.xy, outline.map(([x, y]) => toData(this.camera, x, y)))
    // Removing from a cluster that is looked at begins with its members.
    if (how !== 'replace' && !selection.peek() && activeCluster.peek() !== null) {
      const active = activeCluster.peek()
      const members: number[] = []
      labels.peek()?.forEach((label, row) => label === active && members.push(row))
      select(members)
    }
    select(rows, how)
    if (selection.peek()) tab.value = 'selection'
  }

  // ── the pointer ───────────────────────────────────────────────────────────

  private listen() {
    const on = <K extends keyof HTMLElementEventMap>(name: K, work: (event: HTMLElementEventMap[K]) => void) => {
      this.above.addEventListener(name, work, { passive: false })
      this.stops.push(() => this.above.removeEventListener(name, work))
    }
    on('pointerdown', (event) => this.down(event))
    on('pointermove', (event) => this.move(event))
    on('pointerup', (event) => this.up(event))
    on('pointercancel', (event) => this.up(event))
    on('pointerleave', () => (hovered.value = null))
    on('wheel', (event) => {
      event.preventDefault()
      const step = event.deltaMode === 1 ? 0.05 : 0.0016
      const [x, y] = this.local(event)
      this.look(zoomed(this.camera, Math.exp(-event.deltaY * step), x, y))
    })
    on('dblclick', (event) => {
      const [x, y] = this.local(event)
      this.look(zoomed(this.camera, 2, x, y))
    })
    const lost = (event: Event) => event.preventDefault()
    const back = () => this.restore()
    this.canvas.addEventListener('webglcontextlost', lost)
    this.canvas.addEventListener('webglcontextrestored', back)
  }

  /** A graphics driver may drop everything; all of it is uploaded again. */
  private restore() {
    this.renderer = new Renderer(this.canvas)
    this.renderer.setTheme(dark.peek())
    this.renderer.setPositions(this.xy)
    this.renderer.setLabels(labels.peek())
    this.renderer.setLinks(this.xy, links.peek())
    this.renderer.setOn(lookedAt(activeCluster.peek(), selection.peek(), labels.peek()))
    this.redraw(true)
  }

  private local(event: MouseEvent): [number, number] {
    const box = this.above.getBoundingClientRect()
    return [event.clientX - box.left, event.clientY - box.top]
  }

  private down(event: PointerEvent) {
    this.above.setPointerCapture(event.pointerId)
    const at = this.local(event)
    this.pointers.set(event.pointerId, at)
    if (this.pointers.size > 1) {
      this.drag = null
      this.outline = []
      return
    }
    const how = event.altKey ? 'remove' : event.shiftKey ? 'add' : 'replace'
    // Shift and alt select with any tool.
    const chosen = how !== 'replace' && tool.peek() === 'pan' ? 'lasso' : tool.peek()
    this.drag = { from: at, far: 0, tool: event.button === 1 ? 'pan' : chosen, how }
    if (this.drag.tool === 'lasso') this.outline = [at]
  }

  private move(event: PointerEvent) {
    const at = this.local(event)
    const before = this.pointers.get(event.pointerId)
    if (before && this.pointers.size === 2) this.pinch(event.pointerId, before, at)
    if (before) this.pointers.set(event.pointerId, at)
    if (!this.drag || !before) {
      if (this.pointers.size === 0) hovered.value = this.at(at[0], at[1])
      return
    }
    const { from } = this.drag
    this.drag.far = Math.max(this.drag.far, Math.hypot(at[0] - from[0], at[1] - from[1]))
    if (this.drag.far < CLICK) return
    hovered.value = null
    if (this.drag.tool === 'pan') {
      this.look(panned(this.camera, at[0] - before[0], at[1] - before[1]))
    } else if (this.drag.tool === 'lasso') {
      this.outline.push(at)
      this.redraw(false)
    } else {
      this.outline = [from, [at[0], from[1]], at, [from[0], at[1]]]
      this.redraw(false)
    }
  }

  private pinch(id: number, before: [number, number], at: [number, number]) {
    const other = [...this.pointers].find(([key]) => key !== id)?.[1]
    if (!other) return
    const was = Math.hypot(before[0] - other[0], before[1] - other[1])
    const is = Math.hypot(at[0] - other[0], at[1] - other[1])
    if (was > 0 && is > 0) this.look(zoomed(this.camera, is / was, other[0], other[1]))
  }

  private up(event: PointerEvent) {
    this.pointers.delete(event.pointerId)
    const { drag, outline } = this
    this.drag = null
    this.outline = []
    this.redraw(false)
    if (!drag || event.type === 'pointercancel') return
    if (drag.far >= CLICK) {
      if (drag.tool !== 'pan') this.choose(outline, drag.how)
      return
    }
    const row = this.at(drag.from[0], drag.from[1])
    if (row !== null && drag.how !== 'replace') select([row], drag.how)
    else if (row !== null) this.holdAt(row)
  }
}
