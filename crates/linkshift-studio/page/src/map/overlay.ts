// What lies above the points: names, marks on links, the question's points, the lasso. Drawn anew
// whenever the pointer moves, which must not wait for a million points.

import type { Rgb } from '../palette'
import { css } from '../palette'
import type { Cluster, Link, Question } from '../types'
import { type Camera, toScreen } from './camera'
import type { Colors } from './renderer'

export interface Scene {
  camera: Camera
  xy: Float32Array
  colors: Colors
  ink: string
  accent: string
  links: Link[]
  clusters: Cluster[]
  anchors: Map<number, [number, number]>
  active: number | null
  showNames: boolean
  question: Question | null
  hovered: number | null
  held: number[]
  /** In pixels of the window. */
  outline: [number, number][]
  /** Where keys would hold a point, while the map has the focus. */
  crosshair: boolean
}

type Box = [number, number, number, number]

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif'
/** More names than this on one screen help nobody; the largest that do not overlap are shown. */
const MOST_NAMES = 80
const LONGEST_NAME = 28
const FEW = 12

export function drawOverlay(g: CanvasRenderingContext2D, scene: Scene) {
  const { camera } = scene
  g.clearRect(0, 0, camera.width, camera.height)
  drawMarks(g, scene)
  if (scene.showNames) drawNames(g, scene)
  drawQuestion(g, scene)
  for (const row of scene.held) ring(g, scene, row, 8, 3, scene.ink)
  if (scene.hovered !== null) ring(g, scene, scene.hovered, 7, 2, scene.ink)
  drawOutline(g, scene)
  if (scene.crosshair) {
    g.strokeStyle = scene.ink
    g.lineWidth = 1
    const [x, y] = [camera.width / 2, camera.height / 2]
    g.beginPath()
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      g.moveTo(x + 4 * dx, y + 4 * dy)
      g.lineTo(x + 11 * dx, y + 11 * dy)
    }
    g.stroke()
  }
}

function at(scene: Scene, row: number): [number, number] {
  return toScreen(scene.camera, scene.xy[2 * row], scene.xy[2 * row + 1])
}

function visible(camera: Camera, x: number, y: number, air = 20): boolean {
  return x > -air && y > -air && x < camera.width + air && y < camera.height + air
}

/** A cross on a broken link, a question mark on a suspect one: colour is not all that tells them. */
function drawMarks(g: CanvasRenderingContext2D, scene: Scene) {
  for (const [a, b, , state] of scene.links) {
    if (state === 0) continue
    const [ax, ay] = at(scene, a)
    const [bx, by] = at(scene, b)
    const [x, y] = [(ax + bx) / 2, (ay + by) / 2]
    if (!visible(scene.camera, x, y)) continue
    const color: Rgb = state === 1 ? scene.colors.broken : scene.colors.suspect
    disc(g, x, y, 7, css(scene.colors.paper), css(color))
    g.strokeStyle = g.fillStyle = css(color)
    g.lineWidth = 1.8
    if (state === 1) {
      g.beginPath()
      g.moveTo(x - 3, y - 3)
      g.lineTo(x + 3, y + 3)
      g.moveTo(x + 3, y - 3)
      g.lineTo(x - 3, y + 3)
      g.stroke()
    } else {
      centred(g, '?', x, y, `700 10px ${FONT}`)
    }
  }
}

function disc(g: CanvasRenderingContext2D, x: number, y: number, r: number, fill: string, edge: string) {
  g.beginPath()
  g.arc(x, y, r, 0, 2 * Math.PI)
  g.fillStyle = fill
  g.fill()
  g.strokeStyle = edge
  g.lineWidth = 1.5
  g.stroke()
}

function centred(g: CanvasRenderingContext2D, text: string, x: number, y: number, font: string) {
  g.font = font
  g.textAlign = 'center'
  g.textBaseline = 'middle'
  g.fillText(text, x, y + 0.5)
}

function drawNames(g: CanvasRenderingContext2D, scene: Scene) {
  // Where the question's badges will stand, no name may.
  const taken: Box[] = badges(scene.question).map(([row]) => {
    const [x, y] = at(scene, row)
    return [x - 10, y - 23, x + 23, y + 10]
  })
  // Among few a name may stand farther off and is still known to be theirs.
  const steps = scene.clusters.length <= FEW ? [0, 20, -20, 40, -40, 60, -60] : [0, 20, -20]
  let n = 0
  const first = (cluster: Cluster) => (cluster.id === scene.active ? 1 : 0)
  const sorted = [...scene.clusters].sort((a, b) => first(b) - first(a) || b.size - a.size)
  g.textAlign = 'center'
  g.textBaseline = 'middle'
  g.lineJoin = 'round'
  for (const cluster of sorted) {
    if (n >= MOST_NAMES) break
    const anchor = scene.anchors.get(cluster.id)
    if (!anchor) continue
    const [x, middle] = toScreen(scene.camera, anchor[0], anchor[1])
    if (!visible(scene.camera, x, middle, 0)) continue
    const grey = scene.active !== null && cluster.id !== scene.active
    g.font = `${cluster.named ? 650 : 500} 13px ${FONT}`
    const name = shortened(cluster.name)
    const half = g.measureText(name).width / 2 + 5
    // At its place, or below or above it if something stands there.
    const boxes = steps.map((dy): Box => [x - half, middle + dy - 10, x + half, middle + dy + 10])
    const box = boxes.find((box) => !taken.some((other) => overlap(box, other)))
    if (!box) continue
    taken.push(box)
    n++
    const y = (box[1] + box[3]) / 2
    g.globalAlpha = grey ? 0.35 : 1
    g.strokeStyle = css(scene.colors.paper)
    g.lineWidth = 4
    g.strokeText(name, x, y)
    g.fillStyle = scene.ink
    g.fillText(name, x, y)
    g.globalAlpha = 1
  }
}

function shortened(name: string): string {
  const letters = [...name.replace(/\s+/g, ' ')]
  return letters.length > LONGEST_NAME ? letters.slice(0, LONGEST_NAME - 1).join('') + '…' : letters.join('')
}

function overlap(a: Box, b: Box): boolean {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

/** Each point of the question with the letter or number that the panel gives it. */
export function badges(question: Question | null): [number, string][] {
  switch (question?.kind) {
    case 'pair':
      return [[question.a, 'A'], [question.b, 'B']]
    case 'place': {
      const groups = question.groups.map((group, i) => group.rows.map((row) => [row, `${i + 1}`] as [number, string]))
      return [...groups.flat(), [question.row, '?']]
    }
    case 'group':
      return question.rows.map((row, i) => [row, `${i + 1}`])
    default:
      return []
  }
}

function drawQuestion(g: CanvasRenderingContext2D, scene: Scene) {
  const marks = badges(scene.question)
  if (scene.question?.kind === 'pair') {
    const [[ax, ay], [bx, by]] = marks.map(([row]) => at(scene, row))
    g.strokeStyle = scene.accent
    g.globalAlpha = 0.6
    g.lineWidth = 1.5
    g.setLineDash([2, 4])
    g.beginPath()
    g.moveTo(ax, ay)
    g.lineTo(bx, by)
    g.stroke()
    g.setLineDash([])
    g.globalAlpha = 1
  }
  for (const [row, text] of marks) {
    const [x, y] = at(scene, row)
    const { width, height } = scene.camera
    // Those outside wait at the edge, so that it is seen where they are.
    const [ex, ey] = [Math.min(Math.max(x, 14), width - 14), Math.min(Math.max(y, 14), height - 14)]
    const here = ex === x && ey === y
    if (here) {
      g.beginPath()
      g.arc(x, y, 7, 0, 2 * Math.PI)
      g.strokeStyle = css(scene.colors.paper)
      g.lineWidth = 5
      g.stroke()
      g.strokeStyle = scene.accent
      g.lineWidth = 2.5
      g.stroke()
    }
    const [bx, by] = here ? [x + 12, y - 12] : [ex, ey]
    disc(g, bx, by, 9, scene.accent, css(scene.colors.paper))
    g.fillStyle = css(scene.colors.paper)
    centred(g, text, bx, by, `700 11px ${FONT}`)
  }
}

function ring(g: CanvasRenderingContext2D, scene: Scene, row: number, r: number, width: number, color: string) {
  const [x, y] = at(scene, row)
  g.beginPath()
  g.arc(x, y, r, 0, 2 * Math.PI)
  g.strokeStyle = css(scene.colors.paper)
  g.lineWidth = width + 2.5
  g.stroke()
  g.strokeStyle = color
  g.lineWidth = width
  g.stroke()
}

function drawOutline(g: CanvasRenderingContext2D, scene: Scene) {
  if (scene.outline.length < 2) return
  g.beginPath()
  scene.outline.forEach(([x, y], i) => (i === 0 ? g.moveTo(x, y) : g.lineTo(x, y)))
  g.closePath()
  g.globalAlpha = 0.1
  g.fillStyle = scene.accent
  g.fill('evenodd')
  g.globalAlpha = 1
  g.strokeStyle = scene.accent
  g.lineWidth = 1.5
  g.setLineDash([5, 4])
  g.stroke()
  g.setLineDash([])
}
