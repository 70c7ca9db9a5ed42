// Questions: answered by keys, undone, changed, and still there after kill −9.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { answerByKey, api, ari, asked, blobs, browser, fitted, folder, labels, open, post, studio, until } from './studio.mjs'

const count = (page) => page.textContent('.counts strong')

/** Eight blobs, of which opposite ones are one thing: what no clustering can know without being told. */
function opposite(path) {
  return blobs(path, { n: 400, k: 8, spread: 0.2 }).map((c) => c % 4)
}

test('thirty answers by keys make the clustering better, and nothing of them is lost', async (t) => {
  const here = folder(t)
  const truth = opposite(join(here, 'items.csv'))
  const from = await browser(t)
  const first = await studio(t, here, ['items.csv', '--id-column', 'id'])
  const page = await open(t, from, first.url)
  assert.ok(!page.url().includes('token'), 'the token leaves the address')
  const before = ari(await labels(page), truth)
  for (let i = 0; i < 30; i++) if (!(await answerByKey(page, truth))) break
  const state = await api(page, '/api/state')
  assert.ok(state.answers.n >= 20, `only ${state.answers.n} questions were asked`)
  // The map follows at once, by what the asker has learned; the fit comes when answers pause.
  await until(page, ({ labels }) => labels.source !== 'fit' || labels.is_current)
  const atOnce = ari(await labels(page), truth)
  assert.ok(atOnce > before + 0.05, `ARI ${before} before, ${atOnce} at once after ${state.answers.n} answers`)
  await fitted(page)
  const after = ari(await labels(page), truth)
  t.diagnostic(`ARI ${before.toFixed(3)} before, ${atOnce.toFixed(3)} at once after ${state.answers.n} answers, ${after.toFixed(3)} by the fit`)
  assert.ok(after > before + 0.05, `ARI ${before} before, ${after} after ${state.answers.n} answers`)

  await t.test('ten steps are undone and done again', async () => {
    const [all, said] = [await labels(page), await count(page)]
    const step = async (key, test) => {
      const old = await api(page, '/api/state')
      await page.keyboard.press(key)
      await until(page, (now) => now.answers.n !== old.answers.n)
      await asked(page)
      assert.ok(test(old, await api(page, '/api/state')))
    }
    for (let i = 0; i < 10; i++) await step('z', (old, now) => now.answers.n === old.answers.n - 1 && now.redo_text === old.undo_text)
    await page.waitForFunction((n) => document.querySelector('.counts strong')?.textContent === n, `${state.answers.n - 10} answers`)
    for (let i = 0; i < 10; i++) await step('y', (old, now) => now.answers.n === old.answers.n + 1 && now.undo_text === old.redo_text)
    assert.equal(await count(page), said)
    // Another path to the same place: the labels before anything was undone, by the same answers.
    await fitted(page)
    assert.equal(ari(await labels(page), all), 1)
  })

  await t.test('an answer is changed, commented and marked', async () => {
    await post(page, '/api/answer', { kind: 'pair', a: 0, b: 8, answer: 'same', certain: false })
    await page.waitForFunction((n) => document.querySelector('.counts strong')?.textContent === n, `${state.answers.n + 1} answers`)
    const [entry] = (await api(page, '/api/state')).history
    assert.equal(entry.kind, 'pair')
    const line = page.locator('.history li').first()
    await line.locator('.entry').click()
    const other = 'unsure'
    await line.getByRole('button', { name: other }).click()
    await page.waitForFunction(() => document.querySelector('.asked')?.getAttribute('aria-busy') === 'false')
    await line.getByLabel('look again').check()
    await line.getByLabel('Comment').fill('s d u z: typed, not answered')
    await line.getByRole('button', { name: 'Save' }).click()
    await page.getByText('s d u z: typed, not answered').waitFor()
    const now = (await api(page, '/api/state')).history.find(({ id }) => id === entry.id)
    assert.deepEqual([now.answer, now.look_again, now.comment], [other, true, 's d u z: typed, not answered'])
  })

  await t.test('kill −9, start again, go on', async () => {
    const state = await api(page, '/api/state')
    const question = await asked(page)
    await first.kill()
    await page.locator('.banner.lost').waitFor()
    assert.ok(existsSync(join(here, state.saved_to)) || existsSync(state.saved_to))
    const second = await studio(t, here, ['items.csv', '--id-column', 'id'])
    const again = await open(t, from, second.url)
    const now = await api(again, '/api/state')
    assert.deepEqual(now.answers, state.answers)
    assert.deepEqual(now.history, state.history)
    const next = await asked(again)
    assert.deepEqual([next.kind, next.a, next.b, next.row], [question.kind, question.a, question.b, question.row])
    await answerByKey(again, truth)
    assert.equal((await api(again, '/api/state')).answers.n, state.answers.n + (next.kind === 'none' ? 0 : 1))
  })
  assert.deepEqual(page.troubles.filter((trouble) => !trouble.includes('ERR_')), [])
})

test('certain, look again and unsure are kept with the answer', async (t) => {
  const here = folder(t)
  blobs(join(here, 'items.csv'), { n: 60, k: 3 })
  const running = await studio(t, here, ['items.csv', '--id-column', 'id'])
  const page = await open(t, await browser(t), running.url)
  const question = await asked(page)
  await page.keyboard.press('f')
  await page.locator('.flag.on').waitFor()
  await page.keyboard.press(question.kind === 'place' ? 'Shift+Digit1' : 'Shift+S')
  await page.locator('.history .tag', { hasText: 'certain' }).waitFor()
  await page.locator('.history .flagged').waitFor()
  await page.keyboard.press('u')
  await page.waitForFunction(() => document.querySelector('.counts')?.textContent?.includes('1 unsure'))
  const saved = (await api(page, '/api/state')).saved_to
  const file = existsSync(join(here, saved)) ? join(here, saved) : saved
  assert.match(readFileSync(file, 'utf8'), /^a,b,kind,confidence\n(.*\n)*.*,1\n/)
})
