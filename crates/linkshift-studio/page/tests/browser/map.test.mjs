// The map, corrections, names, pages in step, exports.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { answerByKey, api, ari, blobs, browser, drawAround, fitted, folder, labels, linkshift, open, studio, until, whereIs } from './studio.mjs'

const rowsOf = (truth, c) => truth.map((x, row) => [x, row]).filter(([x]) => x === c).map(([, row]) => row)
/** Blobs lie on a ring, so that neighbours in the list lie beside each other on the map. */
const K = 5

test('lasso, correct, rename, refit, export', async (t) => {
  const here = folder(t)
  const truth = blobs(join(here, 'items.csv'), { n: 300, k: K, spread: 0.22 })
  const running = await studio(t, here, ['items.csv', '--id-column', 'id'])
  const from = await browser(t)
  const page = await open(t, from, running.url)
  for (let i = 0; i < 8; i++) await answerByKey(page, truth)
  await page.getByRole('button', { name: 'Fit', exact: true }).click()
  await fitted(page)

  await t.test('the pointer shows an item, a click holds it, a second one is compared', async () => {
    const [x, y] = await whereIs(page, 7)
    await page.mouse.move(x, y)
    await page.locator('.tip strong', { hasText: 'item-' }).waitFor()
    const shown = await page.locator('.tip strong').textContent()
    await page.mouse.click(x, y)
    await page.locator('.held-items', { hasText: shown }).waitFor()
    const [x2, y2] = await whereIs(page, 8)
    await page.mouse.click(x2, y2)
    await page.getByText('Two held items').waitFor()
    await page.getByRole('button', { name: /Why are these two/ }).click()
    await page.locator('.why').waitFor()
    await page.getByRole('button', { name: 'Let go' }).click()
  })

  await t.test('a lasso over two groups makes them one, as links, and z takes it back', async () => {
    const before = await labels(page)
    const wanted = [...rowsOf(truth, 0).slice(0, 20), ...rowsOf(truth, 1).slice(0, 20)]
    await page.keyboard.press('a')
    // The rectangle, then a lasso that takes all of it away again, then both groups by lassos.
    const selected = async () => Number(await page.locator('[data-selected]').getAttribute('data-selected'))
    await drawAround(page, 'r', rowsOf(truth, 0))
    assert.ok((await selected()) >= 60)
    await drawAround(page, 'l', rowsOf(truth, 0), ['Alt'])
    await page.getByText('Nothing is selected').waitFor()
    await drawAround(page, 'l', rowsOf(truth, 0))
    await drawAround(page, 'l', rowsOf(truth, 1), ['Shift'])
    // Derived: two groups of 60, and few others in their boxes.
    const n = await selected()
    assert.ok(n >= 120 && n < 150, `${n} are selected`)
    await page.getByRole('button', { name: 'These all belong together' }).click()
    await page.locator('.told', { hasText: 'link' }).waitFor()
    await page.waitForFunction(() => document.querySelector('.parts')?.children.length === 1)
    const after = await labels(page)
    assert.equal(new Set(wanted.map((row) => after[row])).size, 1)
    await page.keyboard.press('z')
    await page.waitForFunction(() => (document.querySelector('.parts')?.children.length ?? 0) > 1)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await fitted(page)
    t.diagnostic(`ARI of the labels before the merge and after undoing it: ${ari(before, await labels(page)).toFixed(3)}`)
    const undone = await labels(page)
    assert.equal(new Set(wanted.map((row) => undone[row])).size, 2)
  })

  await t.test('a second page stays in step', async () => {
    const other = await open(t, from, running.url)
    const text = () => other.textContent('.counts strong')
    const before = await text()
    await page.getByRole('tab', { name: /Questions/ }).click()
    const answered = await answerByKey(page, truth)
    if (answered) await other.waitForFunction((old) => document.querySelector('.counts strong')?.textContent !== old, before)
    assert.equal(await text(), await page.textContent('.counts strong'))
    await other.keyboard.press('z')
    await page.waitForFunction((old) => document.querySelector('.counts strong')?.textContent === old, before)
    assert.deepEqual(await labels(other), await labels(page))
    await other.close()
  })

  await t.test('what is exported is what `fit` finds by the command that is shown', async () => {
    await fitted(page)
    await page.getByRole('button', { name: /Export/ }).click()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Labels with names, csv' }).click()])
    const file = join(here, 'exported.csv')
    await download.saveAs(file)
    const [head, ...lines] = readFileSync(file, 'utf8').trim().split(/\r?\n/)
    const column = head.split(',').findIndex((name) => /^(cluster|label)$/.test(name))
    assert.ok(column >= 0, `no column of labels in ${head}`)
    const exported = lines.map((line) => line.split(',')[column])
    const { shell } = await api(page, '/api/command')
    await page.keyboard.press('Escape')
    assert.match(shell, /^linkshift fit /)
    const words = [...shell.replace(/\\\n/g, ' ').matchAll(/'([^']*)'|(\S+)/g)].map((found) => found[1] ?? found[2])
    const output = words[words.indexOf('-o') + 1]
    const run = await linkshift(here, words.slice(1))
    assert.equal(run.code, 0, run.err)
    const [fitHead, ...fitLines] = readFileSync(join(here, output), 'utf8').trim().split(/\r?\n/)
    const at = fitHead.split(',').findIndex((name) => /^(cluster|label)$/.test(name))
    const fit = fitLines.map((line) => line.split(',')[at])
    assert.equal(fit.length, exported.length)
    // The numbers of clusters may differ: the studio's stay from fit to fit.
    assert.equal(ari(fit, exported), 1)
  })
  assert.deepEqual(page.troubles, [])
  assert.deepEqual(page.requests.filter((url) => !url.startsWith(running.origin) && !url.startsWith('blob:')), [])
})

test('clusters are merged, and one is named; both survive a new fit', async (t) => {
  const here = folder(t)
  blobs(join(here, 'items.csv'), { n: 300, k: K, spread: 0.22 })
  const running = await studio(t, here, ['items.csv', '--id-column', 'id'])
  const page = await open(t, await browser(t), running.url)
  await fitted(page)
  await page.getByRole('tab', { name: /Clusters/ }).click()
  const list = page.locator('.cluster')
  await list.nth(1).waitFor()
  const nBefore = await list.count()
  await list.nth(0).getByRole('checkbox').check()
  await list.nth(1).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Merge 2' }).click()
  await page.waitForFunction((n) => document.querySelectorAll('.cluster').length === n - 1, nBefore)
  await list.nth(0).getByRole('button', { name: /^Rename/ }).click()
  await page.keyboard.type('cats & <b>dogs</b>')
  await page.keyboard.press('Enter')
  await page.locator('.cluster-name.named', { hasText: 'cats & <b>dogs</b>' }).waitFor()
  const named = (await api(page, '/api/state')).clusters.find((cluster) => cluster.named)
  const members = (await labels(page)).map((label, row) => [label, row]).filter(([label]) => label === named.id).map(([, row]) => row)
  await page.getByRole('button', { name: 'Fit', exact: true }).click()
  const revision = (await api(page, '/api/state')).labels.revision
  await until(page, ({ labels }) => labels.revision > revision)
  await fitted(page)
  const again = (await api(page, '/api/state')).clusters.find((cluster) => cluster.name === 'cats & <b>dogs</b>')
  assert.ok(again, 'the name is still there')
  assert.equal(again.id, named.id)
  const now = await labels(page)
  const kept = members.filter((row) => now[row] === again.id).length
  assert.ok(kept > 0.9 * members.length, `${kept} of ${members.length} kept the name`)
  assert.equal(await list.count(), nBefore - 1)
  assert.deepEqual(page.troubles, [])
})
