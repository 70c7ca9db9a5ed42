// Where the name of a cluster stands: at the member nearest to its mean, so that the name of a
// crescent lies on the crescent.

export function anchors(xy: Float32Array, labels: Int32Array): Map<number, [number, number]> {
  const sums = new Map<number, { x: number; y: number; n: number; best: number; at: number }>()
  const n = Math.min(labels.length, xy.length / 2)
  for (let i = 0; i < n; i++) {
    if (labels[i] < 0) continue
    let sum = sums.get(labels[i])
    if (!sum) sums.set(labels[i], (sum = { x: 0, y: 0, n: 0, best: Infinity, at: i }))
    sum.x += xy[2 * i]
    sum.y += xy[2 * i + 1]
    sum.n++
  }
  for (let i = 0; i < n; i++) {
    const sum = sums.get(labels[i])
    if (!sum) continue
    const sq = (xy[2 * i] - sum.x / sum.n) ** 2 + (xy[2 * i + 1] - sum.y / sum.n) ** 2
    if (sq < sum.best) {
      sum.best = sq
      sum.at = i
    }
  }
  return new Map([...sums].map(([id, { at }]) => [id, [xy[2 * at], xy[2 * at + 1]]]))
}
