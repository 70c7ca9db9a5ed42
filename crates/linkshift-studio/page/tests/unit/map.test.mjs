import assert from 'node:assert/strict'
import { test } from 'node:test'
import { load } from './load.mjs'

const camera = await load('map/camera.ts')
const { Grid } = await load('map/grid.ts')
const { inside } = await load('map/lasso.ts')
const { anchors } = await load('map/names.ts')

let seed = 5
const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 4294967296
const points = (n) => Float32Array.from({ length: 2 * n }, () => random() * 2 - 1)

test('the grid finds the point that looking at all of them finds', () => {
  for (const n of [1, 7, 500]) {
    const xy = points(n)
    const grid = new Grid(xy)
    for (let trial = 0; trial < 200; trial++) {
      const [x, y, radius] = [random() * 2.4 - 1.2, random() * 2.4 - 1.2, random() * 0.5]
      // Another path: every point, one by one.
      let best = null
      let least = Infinity
      for (let row = 0; row < n; row++) {
        const sq = (xy[2 * row] - x) ** 2 + (xy[2 * row + 1] - y) ** 2
        if (sq <= radius * radius && sq < least) [best, least] = [row, sq]
      }
      assert.equal(grid.nearest(x, y, radius), best)
    }
  }
})

test('a point that is looked at is preferred to a nearer grey one', () => {
  const grid = new Grid(new Float32Array([0, 0, 0.1, 0]))
  assert.equal(grid.nearest(0, 0, 0.5), 0)
  assert.equal(grid.nearest(0, 0, 0.5, (row) => row === 1), 1)
  assert.equal(grid.nearest(0, 0, 0.05, (row) => row === 1), 0)
})

test('a lasso holds what lies inside its outline', () => {
  const xy = points(1000)
  const square = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]
  // Derived: inside a square is |x| and |y| below a half.
  const expected = []
  for (let row = 0; row < 1000; row++) if (Math.max(Math.abs(xy[2 * row]), Math.abs(xy[2 * row + 1])) < 0.5) expected.push(row)
  assert.deepEqual(inside(xy, square), expected)
  assert.deepEqual(inside(xy, square.slice(0, 2)), [])
  // A horseshoe: its mouth is outside.
  const shoe = [[-1, -1], [1, -1], [1, 1], [0.5, 1], [0.5, -0.5], [-0.5, -0.5], [-0.5, 1], [-1, 1]]
  assert.deepEqual(inside(new Float32Array([0, 0.5, 0, -0.8, 0.8, 0.5]), shoe), [1, 2])
})

test('the camera goes there and back, and zooms around the pointer', () => {
  const at = { x: 0.2, y: -0.1, scale: 300, width: 800, height: 600 }
  const [sx, sy] = camera.toScreen(at, 0.5, 0.4)
  const [x, y] = camera.toData(at, sx, sy)
  assert.ok(Math.abs(x - 0.5) < 1e-12 && Math.abs(y - 0.4) < 1e-12)
  const near = camera.zoomed(at, 1.7, sx, sy)
  const [zx, zy] = camera.toScreen(near, 0.5, 0.4)
  assert.ok(Math.abs(zx - sx) < 1e-9 && Math.abs(zy - sy) < 1e-9)
})

test('maps of any size, or none, are laid into the square', () => {
  const { xy, extent } = camera.normalised(new Float32Array([10, 5, 30, 15]))
  // Derived: the box is 20 by 10 around (20, 10); half of its longer side becomes 1.
  assert.deepEqual([...xy], [-1, -0.5, 1, 0.5])
  assert.deepEqual(extent, [1, 0.5])
  assert.deepEqual([...camera.normalised(new Float32Array([7, 7, 7, 7])).xy], [0, 0, 0, 0])
  assert.equal(camera.normalised(new Float32Array(0)).xy.length, 0)
})

test('a name stands on a member, also where the mean lies outside', () => {
  // A ring: its mean is its middle, where nobody is.
  const ring = Float32Array.from({ length: 40 }, (_, i) => (i % 2 ? Math.sin : Math.cos)((2 * Math.PI * (i >> 1)) / 20))
  const [x, y] = anchors(ring, new Int32Array(20)).get(0)
  assert.ok(Math.abs(Math.hypot(x, y) - 1) < 1e-6)
  assert.equal(anchors(ring, new Int32Array(20).fill(-1)).size, 0)
})
