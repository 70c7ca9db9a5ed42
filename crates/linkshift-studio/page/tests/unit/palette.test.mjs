import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { load } from './load.mjs'

const palette = await load('palette.ts')

test('the colours are those of every other picture', () => {
  // Another path: the palette that the plots are drawn with.
  const rust = readFileSync(new URL('../../../../linkshift-plot/src/palette.rs', import.meta.url), 'utf8')
  const hues = rust.slice(rust.indexOf('pub const HUES'), rust.indexOf('];', rust.indexOf('pub const HUES')))
  const expected = [...hues.matchAll(/Color\((\d+), (\d+), (\d+)\)/g)].map((found) => found.slice(1).map(Number))
  assert.equal(expected.length, 12)
  assert.deepEqual(palette.HUES, expected)
  const rounds = rust.slice(rust.indexOf('const ROUNDS'), rust.indexOf('];', rust.indexOf('const ROUNDS')))
  const shares = [...rounds.matchAll(/\(Shape::(\w+), (\w+), ([\d.]+)\)/g)].map((found) => [found[2], Number(found[3])])
  const mix = (a, b, share) => a.map((part, i) => Math.round(part * (1 - share) + b[i] * share))
  const inks = { PAPER: [255, 255, 255], INK: [40, 40, 46] }
  shares.forEach(([ink, share], round) => {
    assert.deepEqual(palette.look(12 * round + 3, false).color, mix(expected[3], inks[ink], share))
    assert.equal(palette.look(12 * round + 3, false).shape, round)
  })
})

test('a look depends on the number alone, and there is one for every number', () => {
  assert.equal(palette.lookIndex(-1), palette.NO_LOOK)
  assert.equal(palette.lookIndex(60), palette.lookIndex(0))
  for (const dark of [false, true]) for (let i = 0; i <= palette.NO_LOOK; i++) assert.equal(palette.look(i, dark).color.length, 3)
})
