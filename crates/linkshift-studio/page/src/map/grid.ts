// Which point is nearest to the pointer: rows sorted into the cells of a square grid, once per map.

export class Grid {
  private readonly side: number
  private readonly starts: Uint32Array
  private readonly members: Uint32Array
  private readonly xy: Float32Array

  /** `xy` lies in the square from −1 to 1. */
  constructor(xy: Float32Array) {
    const n = xy.length / 2
    this.xy = xy
    this.side = Math.max(1, Math.min(1024, Math.ceil(Math.sqrt(n / 4))))
    this.starts = new Uint32Array(this.side * this.side + 1)
    const cells = new Uint32Array(n)
    for (let i = 0; i < n; i++) {
      cells[i] = this.cell(xy[2 * i + 1]) * this.side + this.cell(xy[2 * i])
      this.starts[cells[i] + 1]++
    }
    for (let c = 0; c < this.side * this.side; c++) this.starts[c + 1] += this.starts[c]
    const next = this.starts.slice()
    this.members = new Uint32Array(n)
    for (let i = 0; i < n; i++) this.members[next[cells[i]]++] = i
  }

  private cell(coordinate: number): number {
    const at = Math.floor(((coordinate + 1) / 2) * this.side)
    return Math.min(Math.max(at, 0), this.side - 1)
  }

  /** The nearest row within `radius`; among those as near, the first that `prefer` likes. */
  nearest(x: number, y: number, radius: number, prefer?: (row: number) => boolean): number | null {
    let best: number | null = null
    let bestSq = radius * radius
    let liked = false
    for (let cy = this.cell(y - radius); cy <= this.cell(y + radius); cy++) {
      for (let cx = this.cell(x - radius); cx <= this.cell(x + radius); cx++) {
        const cell = cy * this.side + cx
        for (let at = this.starts[cell]; at < this.starts[cell + 1]; at++) {
          const row = this.members[at]
          const dx = this.xy[2 * row] - x
          const dy = this.xy[2 * row + 1] - y
          const sq = dx * dx + dy * dy
          const likes = prefer !== undefined && prefer(row)
          if (sq > radius * radius || (liked && !likes)) continue
          if (sq < bestSq || (likes && !liked) || (best === null && sq <= bestSq)) {
            best = row
            bestSq = sq
            liked = likes
          }
        }
      }
    }
    return best
  }
}
