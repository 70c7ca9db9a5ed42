// Points and links by WebGL2: positions are uploaded once per map, looks once per clustering,
// one byte for each point. Nothing is sampled, however many there are.

import { look, lookIndex, type Rgb } from '../palette'
import type { Link } from '../types'
import { type Camera, zoomOf } from './camera'
import { LINE_FRAGMENT, LINE_VERTEX, N_COLORS, POINT_FRAGMENT, POINT_VERTEX } from './shaders'

export interface Colors {
  paper: Rgb
  grey: Rgb
  kept: Rgb
  broken: Rgb
  suspect: Rgb
}

export const LIGHT: Colors = {
  paper: [255, 255, 255],
  grey: [205, 205, 212],
  kept: [40, 40, 46],
  broken: [214, 24, 31],
  suspect: [178, 94, 0],
}
export const DARK: Colors = {
  paper: [23, 24, 28],
  grey: [66, 68, 76],
  kept: [225, 225, 232],
  broken: [255, 96, 96],
  suspect: [240, 160, 60],
}

/** More kept links than this are drawn fainter still. */
const MANY_LINKS = 60

/** The browser has none; the rest of the page works without. */
export class NoWebGl extends Error {}

type Uniforms = Record<string, WebGLUniformLocation | null>

export class Renderer {
  private readonly gl: WebGL2RenderingContext
  private readonly points: { program: WebGLProgram; uniforms: Uniforms; array: WebGLVertexArrayObject }
  private readonly lines: { program: WebGLProgram; uniforms: Uniforms; array: WebGLVertexArrayObject }
  private from: WebGLBuffer
  private to: WebGLBuffer
  private readonly looks: WebGLBuffer
  private readonly on: WebGLBuffer
  private readonly ends: WebGLBuffer
  /** The row of each drawn point: shuffled, so that no cluster lies on top of all others. */
  private order: Uint32Array = new Uint32Array(0)
  private n = 0
  private nKept = 0
  private nEnds = 0
  private anyOff = false
  private nOn = 0
  private colors = LIGHT
  moved = 1

  constructor(canvas: HTMLCanvasElement) {
    const gl = canvas.getContext('webgl2', { antialias: false, alpha: false })
    if (!gl) throw new NoWebGl('this browser offers no WebGL2')
    this.gl = gl
    const made = (vertex: string, fragment: string, names: string[]) => {
      const program = linked(gl, vertex, fragment)
      const uniforms: Uniforms = {}
      for (const name of names) uniforms[name] = gl.getUniformLocation(program, name)
      return { program, uniforms, array: gl.createVertexArray() as WebGLVertexArrayObject }
    }
    const place = ['u_middle', 'u_scale']
    const mine = ['u_moved', 'u_size', 'u_pass', 'u_looks', 'u_alpha', 'u_paper']
    this.points = made(POINT_VERTEX, POINT_FRAGMENT, [...place, ...mine])
    this.lines = made(LINE_VERTEX, LINE_FRAGMENT, [...place, 'u_window', 'u_colors'])
    const buffer = () => gl.createBuffer() as WebGLBuffer
    ;[this.from, this.to, this.looks, this.on, this.ends] = [buffer(), buffer(), buffer(), buffer(), buffer()]
    gl.enable(gl.BLEND)
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
  }

  setTheme(isDark: boolean) {
    const gl = this.gl
    this.colors = isDark ? DARK : LIGHT
    const flat = new Float32Array(N_COLORS * 4)
    for (let i = 0; i < N_COLORS; i++) {
      const { color, shape } = i === N_COLORS - 1 ? { color: this.colors.grey, shape: 0 } : look(i, isDark)
      flat.set([color[0] / 255, color[1] / 255, color[2] / 255, shape], 4 * i)
    }
    gl.useProgram(this.points.program)
    gl.uniform4fv(this.points.uniforms.u_looks, flat)
    gl.uniform3fv(this.points.uniforms.u_paper, unit(this.colors.paper))
  }

  /** A new map. Returns whether there was one before with the same points. */
  setPositions(xy: Float32Array): boolean {
    const gl = this.gl
    const n = xy.length / 2
    const same = n === this.n
    if (!same) this.order = shuffled(n)
    const sorted = new Float32Array(xy.length)
    for (let k = 0; k < n; k++) {
      sorted[2 * k] = xy[2 * this.order[k]]
      sorted[2 * k + 1] = xy[2 * this.order[k] + 1]
    }
    ;[this.from, this.to] = [this.to, this.from]
    gl.bindBuffer(gl.ARRAY_BUFFER, this.to)
    gl.bufferData(gl.ARRAY_BUFFER, sorted, gl.STATIC_DRAW)
    if (!same) {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.from)
      gl.bufferData(gl.ARRAY_BUFFER, sorted, gl.STATIC_DRAW)
      this.n = n
      this.setLabels(null)
      this.setOn(null)
    }
    gl.bindVertexArray(this.points.array)
    const attribute = (at: number, buffer: WebGLBuffer) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer)
      gl.enableVertexAttribArray(at)
    }
    attribute(0, this.from)
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0)
    attribute(1, this.to)
    gl.vertexAttribPointer(1, 2, gl.FLOAT, false, 0, 0)
    attribute(2, this.looks)
    gl.vertexAttribIPointer(2, 1, gl.UNSIGNED_BYTE, 0, 0)
    attribute(3, this.on)
    gl.vertexAttribIPointer(3, 1, gl.UNSIGNED_BYTE, 0, 0)
    gl.bindVertexArray(null)
    this.moved = 1
    return same
  }

  setLabels(labels: Int32Array | null) {
    const bytes = new Uint8Array(this.n)
    for (let k = 0; k < this.n; k++) bytes[k] = lookIndex(labels?.[this.order[k]] ?? -1)
    this.upload(this.looks, bytes)
  }

  /** Which points are looked at; null for all of them. */
  setOn(mask: Uint8Array | null) {
    this.anyOff = mask !== null
    this.nOn = 0
    const bytes = new Uint8Array(this.n)
    if (mask) for (let k = 0; k < this.n; k++) this.nOn += bytes[k] = mask[this.order[k]]
    else bytes.fill(1)
    this.upload(this.on, bytes)
  }

  /** Kept links come first in the buffer, so that they can be left out. */
  setLinks(xy: Float32Array, links: Link[]) {
    const sorted = [...links].sort((a, b) => Number(a[3] !== 0) - Number(b[3] !== 0))
    this.nKept = sorted.filter((link) => link[3] === 0).length
    const flat = new Float32Array(sorted.length * 12)
    sorted.forEach(([a, b, kind, state], i) => {
      const [ax, ay, bx, by] = [xy[2 * a], xy[2 * a + 1], xy[2 * b], xy[2 * b + 1]]
      const dashed = kind === 1 ? 0 : 1
      flat.set([ax, ay, bx, by, state, dashed, bx, by, ax, ay, state, 2 * dashed], 12 * i)
    })
    this.nEnds = sorted.length * 2
    const gl = this.gl
    this.upload(this.ends, flat)
    gl.bindVertexArray(this.lines.array)
    for (let at = 0; at < 3; at++) {
      gl.enableVertexAttribArray(at)
      gl.vertexAttribPointer(at, 2, gl.FLOAT, false, 24, 8 * at)
    }
    gl.bindVertexArray(null)
  }

  draw(camera: Camera, ratio: number, showKept: boolean) {
    const { gl, colors } = this
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight)
    const [r, g, b] = unit(colors.paper)
    gl.clearColor(r, g, b, 1)
    gl.clear(gl.COLOR_BUFFER_BIT)
    if (this.n === 0) return
    const { size, alpha } = pointLook(this.n, camera)
    const point = this.points
    gl.useProgram(point.program)
    this.place(point.uniforms, camera)
    gl.uniform1f(point.uniforms.u_moved, this.moved)
    gl.bindVertexArray(point.array)
    const pass = (which: number, size: number, opacity: number) => {
      gl.uniform1f(point.uniforms.u_size, size * ratio)
      gl.uniform1i(point.uniforms.u_pass, which)
      gl.uniform1f(point.uniforms.u_alpha, opacity)
      gl.drawArrays(gl.POINTS, 0, this.n)
    }
    if (this.anyOff) {
      pass(1, size, Math.max(alpha * 0.8, 0.1))
      this.drawLines(camera, ratio, showKept)
      gl.useProgram(point.program)
      gl.bindVertexArray(point.array)
      // A few among a million are to be found: they look as if they were alone.
      const few = pointLook(this.nOn, camera)
      pass(2, Math.min(few.size, size * 2.2), few.alpha)
    } else {
      pass(0, size, alpha)
      this.drawLines(camera, ratio, showKept)
    }
    gl.bindVertexArray(null)
  }

  private drawLines(camera: Camera, ratio: number, showKept: boolean) {
    if (this.nEnds === 0 || this.moved < 1) return
    const { gl, lines, colors } = this
    gl.useProgram(lines.program)
    this.place(lines.uniforms, camera)
    gl.uniform2f(lines.uniforms.u_window, camera.width * ratio, camera.height * ratio)
    const kept = this.nKept > MANY_LINKS ? Math.max(0.05, (0.2 * MANY_LINKS) / this.nKept) : 0.2
    const rows = [[...unit(colors.kept), kept], [...unit(colors.broken), 0.95], [...unit(colors.suspect), 0.95]]
    gl.uniform4fv(lines.uniforms.u_colors, new Float32Array(rows.flat()))
    gl.bindVertexArray(lines.array)
    const first = showKept ? 0 : this.nKept * 2
    gl.drawArrays(gl.LINES, first, this.nEnds - first)
  }

  /** Waits until all that was asked for is drawn; for measurements. */
  finish() {
    const { gl } = this
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4))
  }

  private place(uniforms: Uniforms, camera: Camera) {
    const { gl } = this
    gl.uniform2f(uniforms.u_middle, camera.x, camera.y)
    gl.uniform2f(uniforms.u_scale, (2 * camera.scale) / camera.width, (2 * camera.scale) / camera.height)
  }

  private upload(buffer: WebGLBuffer, data: ArrayBufferView) {
    const { gl } = this
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer)
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW)
  }
}

/** Size in CSS pixels and opacity: many points far away are small and clear, so that where they
 *  lie dense it looks dense; near by they are large enough to have a shape. */
export function pointLook(n: number, camera: Camera): { size: number; alpha: number } {
  const room = Math.sqrt((camera.width * camera.height) / Math.max(n, 1))
  const wanted = room * 0.5 * Math.sqrt(Math.max(zoomOf(camera), 0.25))
  const size = Math.min(Math.max(wanted, 1.4), 10)
  return { size, alpha: Math.min(0.9, Math.max(0.1, 0.9 * (wanted / 3) ** 0.75)) }
}

function unit(color: Rgb): Rgb {
  return [color[0] / 255, color[1] / 255, color[2] / 255]
}

/** A fixed shuffle, so that a picture is the same each time. */
function shuffled(n: number): Uint32Array {
  const order = new Uint32Array(n)
  for (let i = 0; i < n; i++) order[i] = i
  let seed = 0x9e3779b9
  for (let i = n - 1; i > 0; i--) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    const j = Math.floor((seed / 4294967296) * (i + 1))
    const old = order[i]
    order[i] = order[j]
    order[j] = old
  }
  return order
}

function linked(gl: WebGL2RenderingContext, vertex: string, fragment: string): WebGLProgram {
  const program = gl.createProgram() as WebGLProgram
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]] as const) {
    const shader = gl.createShader(kind) as WebGLShader
    gl.shaderSource(shader, source)
    gl.compileShader(shader)
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) {
      throw new Error(gl.getShaderInfoLog(shader) ?? 'a shader of the map does not compile')
    }
    gl.attachShader(program, shader)
  }
  gl.linkProgram(program)
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    throw new Error(gl.getProgramInfoLog(program) ?? 'the programs of the map do not link')
  }
  return program
}
