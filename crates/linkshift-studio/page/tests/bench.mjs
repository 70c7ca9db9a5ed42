// A million points in the software renderer: how long until the first map, and until new colours.
// Run by `cargo xtask bench studio`.
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { join } from 'node:path'
import { api, browser, folder, labels, normal, reseed, studio } from './browser/studio.mjs'

const N = 1_000_000
const K = 20
const ends = []
const t = { after: (work) => ends.push(work) }

async function data(path) {
  reseed(11)
  const file = createWriteStream(path)
  file.write('x,y,z\n')
  for (let at = 0; at < N; at += 10_000) {
    let part = ''
    for (let i = at; i < at + 10_000; i++) {
      const angle = (2 * Math.PI * (i % K)) / K
      part += `${(3 * Math.cos(angle) + 0.2 * normal()).toFixed(3)},${(3 * Math.sin(angle) + 0.2 * normal()).toFixed(3)},${(0.2 * normal()).toFixed(3)}\n`
    }
    if (!file.write(part)) await new Promise((resolve) => file.once('drain', resolve))
  }
  file.end()
  await finished(file)
}

const seconds = (from) => ((performance.now() - from) / 1000).toFixed(1)

try {
  const here = folder(t)
  await data(join(here, 'million.csv'))
  const launched = await browser(t)
  const page = await (await launched.newContext({ viewport: { width: 1280, height: 720 } })).newPage()
  const start = performance.now()
  const running = await studio(t, here, ['million.csv'])
  console.log(`address after               ${seconds(start).padStart(6)} s`)
  await page.goto(running.url)
  await page.waitForFunction(() => window.linkshiftMap()?.frames > 0 && window.linkshiftMap().finish() > 0, null, { timeout: 300_000, polling: 100 })
  console.log(`first map, ${N.toLocaleString('en')} points ${seconds(start).padStart(6)} s   (promised: 15)`)
  await page.waitForSelector('.question[data-kind=pair]', { timeout: 600_000 })
  console.log(`first question after        ${seconds(start).padStart(6)} s`)
  await page.waitForFunction(() => document.querySelector('#tab-clusters')?.textContent !== 'Clusters 0', null, { timeout: 600_000, polling: 100 })
  console.log(`first clusters after        ${seconds(start).padStart(6)} s`)

  // New colours: a cluster that is looked at, and labels that arrive.
  const recolour = async (work) => {
    const frames = await page.evaluate(() => window.linkshiftMap().frames)
    const begun = performance.now()
    await work()
    await page.waitForFunction((old) => window.linkshiftMap().frames > old && window.linkshiftMap().finish() > 0, frames, { timeout: 300_000, polling: 20 })
    return seconds(begun)
  }
  await page.getByRole('tab', { name: /Clusters/ }).click()
  await page.locator('.cluster-name').first().waitFor()
  const looked = await recolour(() => page.locator('.cluster-name').first().click())
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: /Questions/ }).click()
  await page.waitForTimeout(5000)
  console.log(`new colours                 ${looked.padStart(6)} s   (promised: 3)`)
  const answered = await recolour(async () => {
    await page.keyboard.press('s')
  })
  console.log(`an answer, with new labels  ${answered.padStart(6)} s`)
  const state = await api(page, '/api/state')
  console.log(`${state.clusters.length} clusters, ${new Set(await labels(page)).size} labels`)
} finally {
  for (const end of ends.reverse()) await end()
}
