// Where on the map the window looks: data coordinates to CSS pixels and back.
// Maps are laid into the square from −1 to 1, so that a new map can glide into the place of an old one.

export interface Camera {
  /** The data point in the middle of the window. */
  x: number
  y: number
  /** CSS pixels per unit. */
  scale: number
  width: number
  height: number
}

const MARGIN = 0.88
const MOST_ZOOM = 5000

export function fitScale(width: number, height: number): number {
  return Math.max(10, (Math.min(width, height) / 2) * MARGIN)
}

export function toScreen(camera: Camera, x: number, y: number): [number, number] {
  return [
    camera.width / 2 + (x - camera.x) * camera.scale,
    camera.height / 2 - (y - camera.y) * camera.scale,
  ]
}

export function toData(camera: Camera, sx: number, sy: number): [number, number] {
  return [
    camera.x + (sx - camera.width / 2) / camera.scale,
    camera.y - (sy - camera.height / 2) / camera.scale,
  ]
}

/** How far in, where 1 shows the whole map. */
export function zoomOf(camera: Camera): number {
  return camera.scale / fitScale(camera.width, camera.height)
}

export function panned(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x - dx / camera.scale, y: camera.y + dy / camera.scale }
}

/** Zooms so that what is under (sx, sy) stays there. */
export function zoomed(camera: Camera, factor: number, sx: number, sy: number): Camera {
  const least = fitScale(camera.width, camera.height) * 0.4
  const scale = Math.min(Math.max(camera.scale * factor, least), least * MOST_ZOOM)
  const [x, y] = toData(camera, sx, sy)
  return {
    ...camera,
    scale,
    x: x - (sx - camera.width / 2) / scale,
    y: y + (sy - camera.height / 2) / scale,
  }
}

/** Shows a box, with some air around it. */
export function around(camera: Camera, box: [number, number, number, number]): Camera {
  const [x0, y0, x1, y1] = box
  const { width, height } = camera
  const need = Math.max((x1 - x0) / width, (y1 - y0) / height)
  const whole = fitScale(width, height)
  const scale = need > 0 ? Math.min(MARGIN / need, whole * 40) : whole * 4
  return { ...camera, x: (x0 + x1) / 2, y: (y0 + y1) / 2, scale }
}

/** All positions, laid into the square from −1 to 1, and half the size of the box they came from. */
export function normalised(xy: Float32Array): { xy: Float32Array; extent: [number, number] } {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let i = 0; i < xy.length; i += 2) {
    x0 = Math.min(x0, xy[i])
    x1 = Math.max(x1, xy[i])
    y0 = Math.min(y0, xy[i + 1])
    y1 = Math.max(y1, xy[i + 1])
  }
  const half = Math.max(x1 - x0, y1 - y0) / 2
  const by = half > 0 && Number.isFinite(half) ? 1 / half : 0
  const out = new Float32Array(xy.length)
  const [cx, cy] = [(x0 + x1) / 2, (y0 + y1) / 2]
  for (let i = 0; i < xy.length; i += 2) {
    out[i] = (xy[i] - cx) * by
    out[i + 1] = (xy[i + 1] - cy) * by
  }
  return { xy: out, extent: [((x1 - x0) / 2) * by, ((y1 - y0) / 2) * by] }
}
