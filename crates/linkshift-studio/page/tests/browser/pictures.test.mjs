// The pictures in docs/studio.md, taken by a browser as a newcomer sees them. Their bytes differ
// from machine to machine; that they are made is what is tested here.
import assert from 'node:assert/strict'
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { answerByKey, api, asked, browser, fitted, folder, labels, open, studio, until, whereIs } from './studio.mjs'

const to = process.env.LINKSHIFT_PICTURES

test('pictures of the studio on its own data', async (t) => {
  mkdirSync(to, { recursive: true })
  const here = folder(t)
  const running = await studio(t, here, [])
  const page = await open(t, await browser(t), running.url)
  const shot = async (name) => {
    await page.waitForTimeout(250)
    await page.screenshot({ path: join(to, `${name}.png`) })
    assert.ok(statSync(join(to, `${name}.png`)).size > 10_000)
  }
  await asked(page)
  await until(page, ({ job, clusters }) => job === null && clusters.length > 0, 90_000)
  // The field says what is drawn; a person would look at the pictures.
  const { n_rows } = await api(page, '/api/state')
  const truth = []
  for (let at = 0; at < n_rows; at += 200) {
    const rows = Array.from({ length: Math.min(200, n_rows - at) }, (_, i) => at + i)
    truth.push(...(await api(page, `/api/rows?rows=${rows}`)).map((row) => row.fields[0][1]))
  }
  for (let i = 0; i < 21; i++) await answerByKey(page, truth)
  await fitted(page)
  await asked(page)
  await page.waitForFunction(() => [...document.querySelectorAll('.picture')].every((image) => image.complete))
  await shot('question')

  await page.getByRole('tab', { name: /Clusters/ }).click()
  await page.locator('.cluster-name').first().click()
  await shot('clusters')

  await page.keyboard.press('Escape')
  await page.keyboard.press('l')
  const all = await labels(page)
  const [main] = [...all.reduce((counts, label) => counts.set(label, (counts.get(label) ?? 0) + 1), new Map())].sort((a, b) => b[1] - a[1])[0]
  const rows = all.map((label, row) => [label, row]).filter(([label]) => label === main).map(([, row]) => row)
  const [x, y] = await whereIs(page, rows[Math.floor(rows.length / 2)])
  await page.mouse.move(x + 70, y)
  await page.mouse.down()
  for (let i = 1; i <= 24; i++) await page.mouse.move(x + 70 * Math.cos(i / 4), y + 70 * Math.sin(i / 4))
  await page.mouse.up()
  await page.locator('[data-selected]').waitFor()
  await shot('selection')

  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: /Questions/ }).click()
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot('dark')
  await page.setViewportSize({ width: 420, height: 800 })
  await shot('narrow')
  assert.deepEqual(page.troubles, [])
})
