// The pictures in docs/studio.md, taken by a browser as a newcomer sees them. Their bytes differ
// from machine to machine; that they are made is what is tested here.
import assert from 'node:assert/strict'
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { api, asked, browser, folder, labels, open, studio, whereIs } from './studio.mjs'

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
  const quiet = () => page.waitForFunction(() => fetch('/api/state').then((reply) => reply.json()).then((state) => state.job === null && state.clusters.length > 0), null, { timeout: 90_000 })
  await asked(page)
  await quiet()
  for (let i = 0; i < 12; i++) {
    const question = await asked(page)
    if (question.kind === 'none') break
    // The field says what is drawn; a person would look at the pictures.
    if (question.kind === 'pair') {
      const [a, b] = await api(page, `/api/rows?rows=${question.a},${question.b}`)
      const kind = (row) => row.fields[0][1]
      await page.keyboard.press(kind(a) === kind(b) ? 's' : 'd')
    } else await page.keyboard.press('u')
    await page.waitForTimeout(150)
  }
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
