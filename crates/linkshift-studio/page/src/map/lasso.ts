// Which points lie inside an outline: even–odd rule, after a look at the outline's box.

export function inside(xy: Float32Array, outline: [number, number][]): number[] {
  if (outline.length < 3) return []
  const xs = outline.map(([x]) => x)
  const ys = outline.map(([, y]) => y)
  const [x0, x1] = [Math.min(...xs), Math.max(...xs)]
  const [y0, y1] = [Math.min(...ys), Math.max(...ys)]
  const out: number[] = []
  for (let row = 0; row < xy.length / 2; row++) {
    const x = xy[2 * row]
    const y = xy[2 * row + 1]
    if (x < x0 || x > x1 || y < y0 || y > y1) continue
    let odd = false
    for (let i = 0, j = xs.length - 1; i < xs.length; j = i++) {
      if (ys[i] > y !== ys[j] > y && x < ((xs[j] - xs[i]) * (y - ys[i])) / (ys[j] - ys[i]) + xs[i]) {
        odd = !odd
      }
    }
    if (odd) out.push(row)
  }
  return out
}
