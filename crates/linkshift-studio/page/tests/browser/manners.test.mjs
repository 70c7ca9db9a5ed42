// Keyboard alone, hostile data, odd data, narrow windows, a lost connection.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { api, asked, blobs, browser, folder, open, studio } from './studio.mjs'

test('everything is reached by keys alone', async (t) => {
  const here = folder(t)
  blobs(join(here, 'items.csv'), { n: 120, k: 3 })
  const running = await studio(t, here, ['items.csv', '--id-column', 'id'])
  const page = await open(t, await browser(t), running.url)
  const press = (...keys) => keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '')

  // The tab key passes search, fit, export, theme, help, map, its tools, tabs and panel, and each
  // stop can be seen.
  const stops = []
  for (let i = 0; i < 40; i++) {
    await press('Tab')
    stops.push(await focused())
    const outlined = await page.evaluate(() => {
      const style = getComputedStyle(document.activeElement ?? document.body)
      return document.activeElement === document.body || (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0)
    })
    assert.ok(outlined, `the focus cannot be seen at ${stops.at(-1)}`)
  }
  for (const wanted of [/^Search items/, /^Fit/, /^Export/, /^Help/, /^Map:/, /^Lasso/, /^Questions/, /^Same|^Yes|^None/]) {
    assert.ok(stops.some((stop) => wanted.test(stop)), `${wanted} is not among ${stops.join(' | ')}`)
  }

  await press('?')
  await page.getByRole('dialog').waitFor()
  await press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  // Search by key, and the arrow leads into what was found.
  await press('/')
  await page.keyboard.type('item-11')
  await page.locator('.found .line').first().waitFor()
  await press('ArrowDown', 'Enter')
  await page.locator('[data-selected]').waitFor()
  // Derived: item-11 and item-110 to item-119 contain it.
  assert.equal(await page.locator('[data-selected]').getAttribute('data-selected'), '11')
  await press('Escape')

  // The map: pan, zoom, hold what is in the middle, select what is in view.
  await page.locator('.above').focus()
  const before = await page.evaluate(() => ({ ...window.linkshiftMap().camera }))
  await press('ArrowLeft', '+', '+')
  const after = await page.evaluate(() => ({ ...window.linkshiftMap().camera }))
  assert.ok(after.x < before.x && after.scale > before.scale)
  await press('a', 'e')
  assert.equal(await page.locator('[data-selected]').getAttribute('data-selected'), '120')
  await press('Escape')

  // Clusters by arrows, renamed by F2; letters typed there are no answers.
  const n = (await api(page, '/api/state')).answers.n
  await press('[')
  await page.locator('.cluster-name').first().focus()
  await press('ArrowDown', 'ArrowUp', 'F2')
  await page.keyboard.type('sudden zoo')
  await press('Enter')
  await page.locator('.cluster-name.named', { hasText: 'sudden zoo' }).waitFor()
  assert.equal((await api(page, '/api/state')).answers.n, n)
  // On this panel a key does not answer a question that is not on the screen.
  await press('s')
  await page.waitForTimeout(200)
  assert.equal((await api(page, '/api/state')).answers.n, n)
  await press('z')
  await page.locator('.cluster-name.named').waitFor({ state: 'detached' })
  assert.deepEqual(page.troubles, [])
})

const HOSTILE = [
  '<img src=x onerror="window.hacked=1">',
  '"><script>window.hacked=1</script>',
  "'; DROP TABLE items; --",
  'javascript:window.hacked=1',
  '\u202egnp.exe\u202c',
  '=HYPERLINK("http://evil.example/","x")',
  '{{constructor.constructor("window.hacked=1")()}}',
  'a'.repeat(5000),
  '水 🙂 \u0000\u0007',
]

test('hostile strings are shown as they are and nothing leaves the machine', async (t) => {
  const here = folder(t)
  const name = 'a <img src=x onerror=window.hacked=1>.csv'
  blobs(join(here, name), { n: 90, k: 3, id: (i) => `${HOSTILE[i % HOSTILE.length].replaceAll('\u0000', '')} ${i}` })
  const running = await studio(t, here, [name, '--id-column', 'id'])
  const page = await open(t, await browser(t), running.url)
  await asked(page)
  await page.keyboard.press('s')
  await page.keyboard.press('a')
  await page.keyboard.press('e')
  await page.locator('.items .item-id').nth(20).waitFor()
  const shown = await page.locator('.items .item-id').allTextContents()
  assert.ok(shown.some((text) => text.includes('onerror="window.hacked=1"')))
  for (const row of [0, 1]) await page.locator('.items .line').nth(row).click()
  await page.keyboard.press('/')
  await page.keyboard.type('<script>')
  await page.locator('.found').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: /Clusters/ }).click()
  const rename = page.getByRole('button', { name: /^Rename/ }).first()
  if (await rename.count()) {
    await rename.click()
    await page.keyboard.type('<svg onload=window.hacked=1>')
    await page.keyboard.press('Enter')
    await page.locator('.cluster-name.named').waitFor()
  }
  await page.waitForTimeout(300)
  assert.equal(await page.evaluate(() => window.hacked), undefined)
  assert.equal(await page.locator('main img[src="x"], main script, header img').count(), 0)
  assert.ok((await page.textContent('h1')).includes('<img'))
  // Every request went to the studio, and the policy had nothing to stop.
  assert.deepEqual(page.requests.filter((url) => !url.startsWith(running.origin)), [])
  assert.deepEqual(page.troubles, [])
  // Nothing hangs out of the window, however long the strings.
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
})

test('one row, equal rows and no rows have their page', async (t) => {
  const here = folder(t)
  const from = await browser(t)
  for (const [file, lines, says] of [
    ['one.csv', ['1,2'], /one row/],
    ['equal.csv', Array.from({ length: 30 }, () => '1,2'), /same place/],
  ]) {
    writeFileSync(join(here, file), `x,y\n${lines.join('\n')}\n`)
    const running = await studio(t, here, [file])
    const page = await open(t, from, running.url)
    assert.match(await page.locator('.special').textContent(), says)
    assert.deepEqual(page.troubles, [])
    await running.kill()
  }
  writeFileSync(join(here, 'none.csv'), 'x,y\n')
  const running = await studio(t, here, ['none.csv']).catch((error) => error)
  // No rows: a page that says so, or a word before there is one.
  if (running instanceof Error) assert.match(running.message, /row|empty/i)
  else assert.match(await (await open(t, from, running.url)).locator('.special').textContent(), /no rows/)
})

test('narrow, dark, and without the studio', async (t) => {
  const here = folder(t)
  blobs(join(here, 'items.csv'), { n: 120, k: 3 })
  const running = await studio(t, here, ['items.csv', '--id-column', 'id'])
  const page = await open(t, await browser(t), running.url, { viewport: { width: 400, height: 780 }, colorScheme: 'dark' })
  await asked(page)
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark')
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing hangs out at the side')
  for (const selector of ['.map canvas.above', '.answers', 'header.top']) assert.ok(await page.locator(selector).first().isVisible(), selector)
  const answer = await page.locator('.answers button').first().boundingBox()
  assert.ok(answer.y + answer.height <= 780, 'the answers are on the screen')
  // Words against their ground, at 4.5 to 1 or more (WCAG AA), in both themes.
  for (const scheme of ['dark', 'light']) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.waitForFunction((scheme) => document.documentElement.dataset.theme === scheme, scheme)
    const least = await page.evaluate(() => {
      const rgb = (text) => text.match(/[\d.]+/g).map(Number)
      const light = (color) => {
        const [r, g, b] = rgb(color).slice(0, 3).map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4))
        return 0.2126 * r + 0.7152 * g + 0.0722 * b
      }
      const ground = (element) => {
        for (let at = element; at; at = at.parentElement) {
          const color = getComputedStyle(at).backgroundColor
          if ((rgb(color)[3] ?? 1) > 0.5) return color
        }
        return 'rgb(255, 255, 255)'
      }
      const words = [...document.querySelectorAll('h1, h2, .quiet, .answers button span, .tabs button, .counts strong, mark, td, th')]
      return words.filter((element) => element.textContent.trim() && !element.closest(':disabled')).reduce((least, element) => {
        const [a, b] = [light(getComputedStyle(element).color), light(ground(element))]
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
        return ratio < least.ratio ? { ratio, what: element.outerHTML.slice(0, 120) } : least
      }, { ratio: 99, what: '' })
    })
    assert.ok(least.ratio >= 4.5, `${scheme}: ${least.ratio.toFixed(2)} at ${least.what}`)
  }
  await running.kill()
  await page.locator('.banner.lost').waitFor()
})

test('without WebGL2 the rest of the page works', async (t) => {
  const here = folder(t)
  blobs(join(here, 'items.csv'), { n: 60, k: 3 })
  const running = await studio(t, here, ['items.csv', '--id-column', 'id'])
  const from = await browser(t)
  const context = await from.newContext()
  t.after(() => context.close())
  await context.addInitScript(() => {
    const real = HTMLCanvasElement.prototype.getContext
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return kind === 'webgl2' ? null : real.call(this, kind, ...rest)
    }
  })
  const page = await context.newPage()
  await page.goto(running.url)
  await page.getByText('The map needs WebGL2').waitFor()
  await asked(page)
  await page.keyboard.press('u')
  await page.waitForFunction(() => document.querySelector('.counts strong')?.textContent === '1 answer')
})
