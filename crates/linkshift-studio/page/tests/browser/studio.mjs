// What the tests share: the real program as a process, a real browser beside it, and made-up data
// whose truth is known.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const PROGRAM = process.env.LINKSHIFT_PROGRAM
const BROWSER = process.env.LINKSHIFT_BROWSER
if (!PROGRAM || !BROWSER) throw new Error('run these by `cargo xtask test studio`: it says where the program and the browser are')

/** A folder of its own, gone at the end. */
export function folder(t) {
  const path = mkdtempSync(join(tmpdir(), 'linkshift-studio-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Starts `linkshift studio` and waits for its address. */
export async function studio(t, cwd, args) {
  const child = spawn(PROGRAM, ['studio', ...args, '--port', '0', '--no-browser'], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  child.stderr.on('data', (part) => (err += part))
  const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve({ code, signal })))
  t.after(() => child.kill('SIGKILL'))
  const url = await new Promise((resolve, reject) => {
    child.stdout.on('data', (part) => {
      out += part
      const found = /http:\/\/127\.0\.0\.1:\d+\/\?token=\S+/.exec(out)
      if (found) resolve(found[0])
    })
    child.on('exit', () => reject(new Error(`the studio ended before it said its address: ${err}`)))
    setTimeout(() => reject(new Error(`no address after a minute: ${out}${err}`)), 60_000).unref()
  })
  return { url, origin: new URL(url).origin, child, ended, said: () => err, kill: async () => { child.kill('SIGKILL'); await ended } }
}

/** Runs `linkshift` to its end. */
export async function linkshift(cwd, args) {
  const child = spawn(PROGRAM, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  child.stdout.on('data', (part) => (out += part))
  child.stderr.on('data', (part) => (err += part))
  const code = await new Promise((resolve) => child.on('exit', resolve))
  return { code, out, err }
}

/** One browser for a test file. */
export async function browser(t) {
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const args = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', ...sandbox]
  const launched = await chromium.launch({ executablePath: BROWSER, args })
  t.after(() => launched.close())
  return launched
}

/** A page on a studio, that remembers what it asked for and what went wrong. */
export async function open(t, from, url, options = {}) {
  const context = await from.newContext({ viewport: { width: 1280, height: 720 }, reducedMotion: 'reduce', acceptDownloads: true, ...options })
  const page = await context.newPage()
  page.requests = []
  page.troubles = []
  page.on('request', (request) => page.requests.push(request.url()))
  page.on('pageerror', (error) => page.troubles.push(`error: ${error.message}`))
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && page.troubles.push(`${message.type()}: ${message.text()}`))
  t.after(() => context.close())
  if (process.env.LINKSHIFT_PAGE) await withPage(page, process.env.LINKSHIFT_PAGE)
  await page.goto(url)
  await page.waitForSelector('.question[data-kind], .special')
  return page
}

/** For work on the page: a newer bundle than the program has inside, under the program's headers. */
async function withPage(page, dist) {
  await page.route(/\/app\.(js|css)$/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: readFileSync(join(dist, new URL(route.request().url()).pathname)) })
  })
}

/** The API as the page calls it, with its cookie. */
export const api = (page, path) => page.evaluate((path) => fetch(path).then((reply) => reply.json()), path)
export const post = (page, path, body) =>
  page.evaluate(([path, body]) => fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }).then((reply) => reply.json()), [path, body])
export const labels = (page) =>
  page.evaluate(() => fetch('/api/labels').then((reply) => reply.arrayBuffer()).then((data) => [...new Int32Array(data)]))

/** Waits until the server's state is as wished. (The browser's own waiting does not wait for promises.) */
export async function until(page, wish, timeout = 60_000) {
  for (const start = Date.now(); Date.now() - start < timeout; ) {
    const state = await api(page, '/api/state')
    if (wish(state)) return state
    await page.waitForTimeout(50)
  }
  throw new Error(`not within ${timeout / 1000} s: ${wish}`)
}

/** Waits for the fit that has all answers, and asks for it if nobody did. */
export async function fitted(page) {
  const current = ({ job, labels }) => job === null && labels.source === 'fit' && labels.is_current
  const state = await api(page, '/api/state')
  if (!current(state) && state.job === null) await post(page, '/api/fit', {})
  await until(page, current)
}

let seed = 1
export function reseed(to) {
  seed = to
}
export const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 4294967296
export const normal = () => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random())

/** Round blobs on a ring, as a file with ids; gives back who is where. */
export function blobs(path, { n = 400, k = 4, spread = 0.35, id = (i) => `item-${i}`, seed = 3 } = {}) {
  reseed(seed)
  const truth = Array.from({ length: n }, (_, i) => i % k)
  const lines = truth.map((c, i) => {
    const angle = (2 * Math.PI * c) / k
    const numbers = [2 * Math.cos(angle) + spread * normal(), 2 * Math.sin(angle) + spread * normal(), 0.3 * normal()]
    return [`"${String(id(i)).replaceAll('"', '""')}"`, ...numbers.map((x) => x.toFixed(4))].join(',')
  })
  writeFileSync(path, `id,x,y,z\n${lines.join('\n')}\n`)
  return truth
}

/** How well two clusterings agree, by chance alone 0: Hubert and Arabie's adjusted Rand index. */
export function ari(a, b) {
  const pairs = (counts) => [...counts.values()].reduce((sum, n) => sum + (n * (n - 1)) / 2, 0)
  const counted = (keys) => keys.reduce((counts, key) => counts.set(key, (counts.get(key) ?? 0) + 1), new Map())
  const both = pairs(counted(a.map((x, i) => `${x}/${b[i]}`)))
  const [inA, inB] = [pairs(counted(a)), pairs(counted(b))]
  const expected = (inA * inB) / ((a.length * (a.length - 1)) / 2)
  const most = (inA + inB) / 2
  return most === expected ? 1 : (both - expected) / (most - expected)
}

/** What is asked now, from the page itself. */
export async function asked(page) {
  await page.waitForFunction(() => document.querySelector('.asked')?.getAttribute('aria-busy') === 'false')
  return api(page, '/api/question')
}

/** Answers one question by keys, as one who knows the truth; false when there is none. */
export async function answerByKey(page, truth) {
  const question = await asked(page)
  const before = await page.textContent('.counts strong')
  const key = (text) => page.keyboard.press(text)
  if (question.kind === 'none') return false
  if (question.kind === 'pair') {
    await key(truth[question.a] === truth[question.b] ? 's' : 'd')
  } else if (question.kind === 'place') {
    const main = (rows) => truth[rows[0]]
    const at = question.groups.findIndex((group) => main(group.rows) === truth[question.row])
    await key(`${at + 1}`)
  } else {
    const counts = new Map()
    for (const row of question.rows) counts.set(truth[row], (counts.get(truth[row]) ?? 0) + 1)
    const main = [...counts].sort((a, b) => b[1] - a[1])[0][0]
    const odd = question.rows.map((row, i) => [row, i]).filter(([row]) => truth[row] !== main)
    for (const [, i] of odd) await page.locator('.members button').nth(i).press('Enter')
    await key(odd.length > 0 ? 'd' : 's')
  }
  await page.waitForFunction((before) => document.querySelector('.counts strong')?.textContent !== before, before, { timeout: 15_000 })
  return true
}

/** Where a row is on the screen. */
export async function whereIs(page, row) {
  const box = await page.locator('.above').boundingBox()
  const [x, y] = await page.evaluate((row) => window.linkshiftMap().placeOf(row), row)
  return [box.x + x, box.y + y]
}

/** Draws around rows, by a box with some air, with the tool that its key chooses. */
export async function drawAround(page, tool, rows, modifiers = []) {
  await page.keyboard.press(tool)
  const places = []
  for (const row of rows) places.push(await whereIs(page, row))
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)]
  const [x0, x1, y0, y1] = [Math.min(...xs) - 4, Math.max(...xs) + 4, Math.min(...ys) - 4, Math.max(...ys) + 4]
  for (const modifier of modifiers) await page.keyboard.down(modifier)
  await page.mouse.move(x0, y0)
  await page.mouse.down()
  const corners = tool === 'r' ? [[x1, y1]] : [[x1, y0], [x1, y1], [x0, y1], [x0, y0 + 1]]
  for (const [x, y] of corners) await page.mouse.move(x, y, { steps: 4 })
  await page.mouse.up()
  for (const modifier of modifiers) await page.keyboard.up(modifier)
}
