// A long dialogue with wrong answers: 60,000 embeddings, 200 answers of which 10 are wrong. How good are the
// labels that are shown at once and those of the fits, how long does an answer take, and are the wrong
// answers found? Run by `cargo xtask bench studio --dialogue`; the table is looked for where LINKSHIFT_DATA says.
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { ari, folder, random, reseed, studio } from './browser/studio.mjs'

const [FILE = 'cms_mnist.csv.gz', N = '200', WRONG = '10'] = process.argv.slice(2)
const [nAnswers, nWrong] = [Number(N), Number(WRONG)]
const path = join(process.env.LINKSHIFT_DATA ?? '.', FILE)
const lines = gunzipSync(readFileSync(path)).toString().trim().split('\n')
const column = lines[0].split(',').indexOf('label')
const truth = lines.slice(1).map((line) => line.split(',')[column])

const ends = []
const t = { after: (work) => ends.push(work) }
const here = folder(t)
const running = await studio(t, here, [path, '--label-column', 'label', '--answers', join(here, 'a.answers.csv')])
const { port } = new URL(running.url)
let cookie = ''

/** A request as the page makes it. */
function ask(path, body) {
  const headers = { cookie, ...(body && { 'content-type': 'application/json', origin: running.origin, 'sec-fetch-site': 'same-origin' }) }
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, path, method: body ? 'POST' : 'GET', headers }, (reply) => {
      const parts = []
      reply.on('data', (part) => parts.push(part))
      reply.on('end', () => {
        cookie ||= reply.headers['set-cookie']?.[0].split(';')[0] ?? ''
        const data = Buffer.concat(parts)
        if (reply.statusCode >= 400) reject(new Error(`${path}: ${reply.statusCode} ${data}`))
        else resolve({ data, json: () => JSON.parse(data) })
      })
    })
    request.on('error', reject)
    request.end(body && JSON.stringify(body))
  })
}
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const state = async () => (await ask('/api/state')).json()
async function labels() {
  const { data } = await ask('/api/labels')
  return Array.from({ length: data.length / 4 }, (_, i) => data.readInt32LE(4 * i))
}
const megabytes = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${running.child.pid}/status`, 'utf8'))[1]) / 1024

/** The answer of one who knows the truth; `wrong` says the opposite, or points at another group. */
function answer(question, wrong) {
  if (question.kind === 'pair') {
    const same = (truth[question.a] === truth[question.b]) !== wrong
    return { kind: 'pair', a: question.a, b: question.b, answer: same ? 'same' : 'different' }
  }
  const most = (rows) => {
    const counts = rows.reduce((counts, row) => counts.set(truth[row], (counts.get(truth[row]) ?? 0) + 1), new Map())
    return [...counts].sort((a, b) => b[1] - a[1])[0][0]
  }
  if (question.kind === 'place') {
    const groups = question.groups.map((group) => group.rows)
    const right = groups.findIndex((rows) => most(rows) === truth[question.row])
    const others = [...groups.keys()].filter((at) => at !== right)
    const chosen = wrong ? others[Math.floor(random() * others.length)] : right
    return { kind: 'place', row: question.row, groups, chosen: chosen < 0 ? null : chosen }
  }
  const main = most(question.rows)
  let odd = question.rows.filter((row) => truth[row] !== main)
  if (wrong) odd = odd.length > 0 ? [] : [question.rows.at(-1)]
  return { kind: 'group', rows: question.rows, odd }
}

try {
  reseed(7)
  await ask(new URL(running.url).pathname + new URL(running.url).search)
  const start = performance.now()
  let question
  do question = (await ask('/api/question')).json()
  while (question.kind === 'wait' && (await wait(100), true))
  console.log(`first question after ${((performance.now() - start) / 1000).toFixed(1)} s`)
  const mistakes = new Set()
  while (mistakes.size < nWrong) mistakes.add(10 + Math.floor(random() * (nAnswers - 10)))
  const [times, wrong, kinds, fits] = [[], [], {}, []]
  let [lastFit, fitBegan] = [0, 0]
  console.log('answers   at once   fitted   clusters   fit s   suspects (wrong ones)   MB')
  for (let i = 1; i <= nAnswers && question.kind !== 'none'; i++) {
    kinds[question.kind] = (kinds[question.kind] ?? 0) + 1
    const body = answer(question, mistakes.has(i - 1))
    const begun = performance.now()
    const reply = (await ask('/api/answer', body)).json()
    times.push(performance.now() - begun)
    question = reply.question
    if (mistakes.has(i - 1)) wrong.push(reply.state.history[0].id)
    if (i % 20 !== 0) {
      // A quick person: two seconds for an answer.
      await wait(Number(process.env.THINK_MS ?? 300))
      continue
    }
    await wait(1000)
    const atOnce = ari(await labels(), truth)
    fitBegan = performance.now()
    let now = await state()
    while (!(now.job === null && now.labels.source === 'fit' && now.labels.is_current)) {
      await wait(200)
      now = await state()
    }
    lastFit = (performance.now() - fitBegan) / 1000
    fits.push(lastFit)
    const found = await suspected(now, wrong)
    console.log(
      `${String(i).padStart(7)}   ${atOnce.toFixed(3).padStart(7)}   ${ari(await labels(), truth).toFixed(3).padStart(6)}   ${String(now.clusters.length).padStart(8)}   ${lastFit.toFixed(1).padStart(5)}   ${found.padStart(22)}   ${megabytes().toFixed(0)}`,
    )
  }
  times.sort((a, b) => a - b)
  const at = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))].toFixed(0)
  console.log(`an answer to the next question: median ${at(0.5)} ms, 9 of 10 within ${at(0.9)} ms, slowest ${at(1)} ms; ${JSON.stringify(kinds)}`)
} finally {
  for (const end of ends.reverse()) await end()
}

/** Links that are suspected, and of how many wrong answers one is among them. */
async function suspected(now, wrong) {
  const links = now.links.suspects.filter((link) => (truth[link.a] === truth[link.b]) !== (link.kind === 'must'))
  return `${now.links.n_suspects} (${links.length}), ${wrong.length} wrong answers`
}
