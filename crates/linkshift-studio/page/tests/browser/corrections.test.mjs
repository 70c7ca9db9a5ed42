// "Not these", "move", questions of every kind, every export, cancelling what takes long.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { api, asked, blobs, browser, drawAround, fitted, folder, labels, linkshift, open, studio, until, whereIs } from './studio.mjs'

const rowsOf = (truth, c) => truth.map((x, row) => [x, row]).filter(([x]) => x === c).map(([, row]) => row)
const last = async (page) => (await api(page, '/api/state')).history[0]

test('a part leaves its cluster, an item moves, and every file can be had', async (t) => {
  const here = folder(t)
  const truth = blobs(join(here, 'items.csv'), { n: 200, k: 4, spread: 0.15 })
  const running = await studio(t, here, ['items.csv', '--id-column', 'id'])
  const page = await open(t, await browser(t), running.url)
  await fitted(page)
  await page.keyboard.press('a')

  await t.test('not these: half of a blob becomes a cluster of its own, also after a new fit', async () => {
    const before = await labels(page)
    const blob = rowsOf(truth, 0)
    const places = await Promise.all(blob.map((row) => whereIs(page, row)))
    const middle = places.map(([x]) => x).sort((a, b) => a - b)[Math.floor(blob.length / 2)]
    const left = blob.filter((_, i) => places[i][0] < middle - 2)
    await drawAround(page, 'r', left)
    await page.locator('[data-selected]').waitFor()
    await page.getByRole('button', { name: /^Not .*leave/ }).click()
    await page.locator('.told', { hasText: 'link' }).waitFor()
    const entry = await last(page)
    assert.equal(entry.kind, 'apart')
    assert.ok(entry.certain && entry.n_links > left.length)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await fitted(page)
    const after = await labels(page)
    const right = blob.filter((row) => !entry.rows.includes(row) && places[blob.indexOf(row)][0] > middle + 10)
    const mine = after[left[0]]
    assert.ok(left.every((row) => after[row] === mine), 'those that left stayed together')
    assert.ok(right.filter((row) => after[row] === mine).length < right.length / 2, 'the rest did not come along')
    await page.keyboard.press('z')
    await until(page, ({ answers }) => answers.corrections === 0)
    await fitted(page)
    assert.equal(new Set((await labels(page)).filter((_, row) => truth[row] === 0)).size, new Set(before.filter((_, row) => truth[row] === 0)).size)
  })

  await t.test('one item moves to another cluster and stays there', async () => {
    const [row, target] = [rowsOf(truth, 1)[3], (await labels(page))[rowsOf(truth, 2)[0]]]
    await page.keyboard.press('/')
    await page.keyboard.type(`item-${row}`)
    await page.locator('.found .line').first().waitFor()
    const exact = page.locator('.found .line', { hasText: new RegExp(`^item-${row}\\b`) }).first()
    await exact.click()
    await page.locator('.held-items').waitFor()
    await page.locator('.move select').selectOption(`${target}`)
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await page.locator('.told', { hasText: '1 item moved' }).waitFor()
    assert.equal((await last(page)).kind, 'move')
    await until(page, () => true)
    await fitted(page)
    const now = await labels(page)
    assert.equal(now[row], now[rowsOf(truth, 2)[0]])
    assert.notEqual(now[row], now[rowsOf(truth, 1)[0]])
    await page.getByRole('button', { name: 'Let go' }).click()
  })

  await t.test('labels, links, answers, model and map as files', async () => {
    const begins = (bytes, text) => assert.equal(bytes.subarray(0, text.length).toString('latin1'), text)
    const checks = {
      'Labels with names, csv': (bytes) => assert.equal(bytes.toString().trim().split('\n').length, 201),
      'Labels with names, parquet': (bytes) => begins(bytes, 'PAR1'),
      'Labels with names, arrow': (bytes) => begins(bytes, 'ARROW1'),
      'Links, csv': (bytes) => assert.match(bytes.toString(), /^a,b,kind/),
      'Answers, csv': (bytes) => assert.match(bytes.toString(), /^a,b,kind/),
      'Model, model': (bytes) => assert.ok(bytes.length > 1000),
      'Map, svg': (bytes) => assert.match(bytes.toString(), /<svg[\s\S]*<\/svg>/),
      'Map, png': (bytes) => begins(bytes, '\x89PNG'),
    }
    for (const [name, check] of Object.entries(checks)) {
      await page.getByRole('button', { name: /^Export/ }).click()
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()])
      const file = join(here, `out-${download.suggestedFilename()}`)
      await download.saveAs(file)
      check(readFileSync(file))
      await page.keyboard.press('Escape')
    }
    // The model labels the same rows as the studio shows.
    const run = await linkshift(here, ['predict', 'out-items.model.model', 'items.csv', '-o', 'again.csv'])
    assert.equal(run.code, 0, run.err)
    const column = (text, name) => {
      const [head, ...lines] = text.trim().split(/\r?\n/)
      const at = head.split(',').indexOf(name)
      return lines.map((line) => line.split(',')[at])
    }
    const of = (file) => column(readFileSync(join(here, file), 'utf8'), 'label')
    const [again, exported] = [of('again.csv'), of('out-items.labels.csv')]
    assert.equal(again.filter((label, row) => label !== exported[row]).length, 0)
  })

  await t.test('the command and the Python lines are shown', async () => {
    await page.getByRole('button', { name: /^Export/ }).click()
    await page.getByRole('button', { name: /Copy the command/ }).click()
    await page.locator('.copy pre', { hasText: 'linkshift fit' }).waitFor()
    await page.locator('.copy pre', { hasText: 'import linkshift' }).waitFor()
    await page.keyboard.press('Escape')
  })
  assert.deepEqual(page.troubles, [])
})

test('placing an item and looking at a group, by keys; each is counted once and can be changed', async (t) => {
  const here = folder(t)
  const truth = blobs(join(here, 'items.csv'), { n: 120, k: 3, spread: 0.15 })
  const running = await studio(t, here, ['items.csv', '--id-column', 'id'])
  const from = await browser(t)
  const [a, b, c] = [0, 1, 2].map((one) => rowsOf(truth, one))
  // The questions are ours, so that every kind is met; the answers go to the studio itself.
  const questions = [
    { kind: 'place', row: a[0], groups: [{ cluster: 0, name: 'one', rows: a.slice(1, 4) }, { cluster: 1, name: 'two', rows: b.slice(1, 4) }], text: 'Which of these groups does it belong to?' },
    { kind: 'group', cluster: 0, name: 'one', rows: [...b.slice(5, 9), c[5]], text: 'Is this group one thing?' },
  ]
  const page = await open(t, from, running.url)
  let at = 0
  await page.route('**/api/question', (route) => route.fulfill({ json: questions[at] }))
  await page.reload()
  await page.locator('.question[data-kind=place] .group').nth(1).waitFor()
  await page.keyboard.press('1')
  await page.getByText('1 placed').waitFor()
  let entry = await last(page)
  assert.deepEqual([entry.kind, entry.answer], ['place', 0])
  at = 1
  await page.reload()
  await page.locator('.question[data-kind=group] .members button').nth(4).waitFor()
  await page.keyboard.press('d')
  await page.getByText('Tick those that do not belong first').waitFor()
  await page.keyboard.press('5')
  await page.locator('.members .odd').waitFor()
  await page.keyboard.press('Shift+D')
  await page.getByText('1 group looked at').waitFor()
  entry = await last(page)
  // Derived: four are one thing (3 must-links), one is apart from them.
  assert.deepEqual([entry.kind, entry.answer, entry.certain], ['group', [c[5]], true])
  await until(page, ({ answers }) => answers.n === 2 && answers.same + answers.different + answers.placed + answers.groups + answers.unsure === 2)
  // Both can be changed where they stand.
  const lines = page.locator('.history li')
  await lines.nth(1).locator('.entry').click()
  await lines.nth(1).getByRole('button', { name: 'none of these' }).click()
  await until(page, ({ history }) => history[1].answer === null)
  await lines.nth(0).locator('.entry').click()
  await lines.nth(0).getByRole('button', { name: 'one thing' }).click()
  await until(page, ({ history }) => history[0].answer.length === 0)
  await lines.nth(0).locator('.odd-rows input').nth(4).check()
  await until(page, ({ history }) => history[0].answer.length === 1)
  for (let i = 0; i < 5; i++) {
    const { undo_text } = await api(page, '/api/state')
    await page.evaluate(() => document.activeElement?.blur())
    await page.keyboard.press('z')
    await until(page, (now) => now.undo_text !== undo_text)
  }
  await until(page, ({ answers }) => answers.n === 0)
  assert.deepEqual(page.troubles, [])
})

test('the map by neighbours can be stopped and taken up again; two held items are asked about', async (t) => {
  const here = folder(t)
  // So many that a quick machine is still at it when the page is there.
  blobs(join(here, 'items.csv'), { n: 60_000, k: 12, spread: 0.25 })
  const chromium = await browser(t)
  const running = await studio(t, here, ['items.csv', '--id-column', 'id'])
  const page = await open(t, chromium, running.url)
  const job = page.locator('.job')
  // The fit comes first, unless it has ended already; then the map, which is stopped for certain.
  for (let kind = ''; kind !== 'map'; ) {
    await job.waitFor({ timeout: 60_000 })
    kind = (await api(page, '/api/state')).job?.kind ?? ''
    if (kind === 'map') await until(page, ({ job }) => job?.seconds_left !== null)
    if (kind !== '') await page.getByRole('button', { name: 'Cancel' }).click()
    await until(page, ({ job }) => job === null || job.kind !== kind)
  }
  await job.waitFor({ state: 'detached' })
  assert.equal((await api(page, '/api/state')).positions.kind, 'pca')
  await page.getByRole('button', { name: 'lay out by neighbours' }).click()
  await page.locator('.job', { hasText: 'laying out' }).waitFor()
  await asked(page)
  assert.deepEqual(page.troubles, [])
})
