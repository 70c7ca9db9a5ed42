import assert from 'node:assert/strict'
import { test } from 'node:test'
import { load } from './load.mjs'

const { differences, pieces } = await load('words.ts')
const marked = (list) => list.map(({ text, differs }) => (differs ? `[${text}]` : text)).join('')

test('words that differ are marked, on both sides', () => {
  const [a, b] = differences('a red house by the sea', 'a blue house by the lake')
  assert.equal(marked(a), 'a [red] house by the [sea]')
  assert.equal(marked(b), 'a [blue] house by the [lake]')
})

test('equal texts have no marks, and empty ones do not fail', () => {
  assert.equal(marked(differences('x y', 'x y')[0]), 'x y')
  assert.deepEqual(differences('', ''), [[{ text: '', differs: false }], [{ text: '', differs: false }]])
  const [none, all] = differences('', 'x')
  assert.equal(marked(none), '')
  assert.equal(marked(all), '[x]')
})

test('nothing of a text is lost', () => {
  const odd = '<b>a</b>\u202e  \n\tÄpfel 3.14, 水 🙂'
  assert.equal(pieces(odd).join(''), odd)
  assert.equal(differences(odd, 'other').map((side) => side.map(({ text }) => text).join(''))[0], odd)
})

test('very long texts are compared by their words', () => {
  // 3,000 words squared is beyond the table: another path, with the same marks here.
  const long = Array.from({ length: 3000 }, (_, i) => `w${i}`).join(' ')
  const [a] = differences(long, long.replace('w1500 ', 'other '))
  assert.equal(marked(a.filter(({ differs }) => differs)), '[w1500]')
})
