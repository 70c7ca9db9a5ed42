// A stand-in for the server, for work on the page alone: `node dev/mock.mjs [n] [port]` serves
// dist/ and answers as the contract says, with made-up blobs. Nothing is checked or kept.
import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'

const n = Number(process.argv[2] ?? 3000)
const port = Number(process.argv[3] ?? 4999)
let seed = 7
const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 4294967296
const normal = () => Math.sqrt(-2 * Math.log(random() + 1e-9)) * Math.cos(2 * Math.PI * random())
const k = 9
const centers = Array.from({ length: k }, (_, c) => [Math.cos(c * 2.4) * (1 + c / 3), Math.sin(c * 2.4) * (1 + c / 3)])
const truth = Int32Array.from({ length: n }, () => Math.floor(random() * k))
const xy = new Float32Array(2 * n)
truth.forEach((c, i) => xy.set([centers[c][0] + normal() * 0.35, centers[c][1] + normal() * 0.35], 2 * i))
const labels = Int32Array.from(truth, (c, i) => (i % 41 === 0 ? -1 : c))
const words = 'red green small large round quick old new northern quiet bright heavy'.split(' ')
const item = (i) => ({
  row: i, id: `item-${i}`, fields: [['city', ['Oslo', 'Rome', 'Lima'][truth[i] % 3]], ['size', (i % 97).toFixed(1)], ['name', `${words[i % 12]} ${words[(i * 7) % 11]}`]],
  text: `A ${words[i % 7]} ${words[i % 5]} thing with ${words[i % 3]} parts and a ${words[i % 11]} one.`, image: true, chance: 0.8,
})
const names = new Map([[0, 'cats']])
let revision = 1
const done = []
const undone = []
let job = null
const clients = new Set()
const tellAll = (name, data) => clients.forEach((to) => to.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`))
const share = { value: 0.93, low: 0.88, high: 0.97 }
const links = () => {
  const out = []
  for (let i = 0; i < 60; i++) {
    const [a, b] = [(i * 37) % n, (i * 91 + 5) % n]
    out.push([a, b, truth[a] === truth[b] ? 1 : 0, i === 7 ? 1 : i === 12 ? 2 : 0])
  }
  return out
}
function some(cluster, many) {
  const rows = []
  for (let row = 0; row < n && rows.length < many; row++) if (labels[row] === cluster) rows.push(row)
  return rows
}
function state() {
  const sizes = new Array(k).fill(0)
  labels.forEach((c) => c >= 0 && sizes[c]++)
  const clusters = Array.from({ length: k }, (_, id) => {
    const rows = some(id, 6)
    return { id, name: names.get(id) ?? `cluster ${id}`, named: names.has(id), size: sizes[id], typical: rows.slice(0, 3), doubtful: rows.slice(3), center: centers[id], share, n_broken: id === 1 ? 1 : 0, n_suspects: id === 2 ? 1 : 0 }
  }).filter((cluster) => cluster.size > 0)
  return {
    schema: 1, version: '0.0.0', name: 'mock.csv', n_rows: n, n_features: 10, shown: ['city'], has_text: true, has_images: true, revision,
    positions: { kind: 'pca', revision: 1, explained: 0.31 }, labels: { revision, source: 'answers', method: 'auto' }, clusters,
    answers: { n: done.length, same: done.filter((d) => d.answer === 'same').length, different: done.filter((d) => d.answer === 'different').length, unsure: 0, corrections: 0 },
    history: done.slice(-10).reverse(), can_undo: done.length > 0, can_redo: undone.length > 0, undo_text: done.at(-1)?.text ?? null, redo_text: undone.at(-1)?.text ?? null,
    links: { n_must: 20, n_cannot: 40, broken: [{ a: 259 % n, b: 642 % n, kind: 'must', reason: 'A certain link holds them apart.' }], suspects: [{ a: 3, b: 9, kind: 'cannot', reason: 'All their neighbours are together.', likely: 'same' }] },
    share, job, outlook: { settled: false, text: 'Some 40 answers more would settle most of it.' }, notes: ['3 rows with gaps were filled'], saved_to: 'mock.answers.csv', read_only_links: null,
  }
}
function question() {
  const i = done.length
  if (i % 5 === 3) return { kind: 'place', row: (i * 17) % n, groups: [0, 1, 2].map((c) => ({ cluster: c, name: names.get(c) ?? `cluster ${c}`, rows: some(c, 3) })), text: 'Which of these groups does it belong to?' }
  if (i % 5 === 4) return { kind: 'group', cluster: 2, name: 'cluster 2', rows: some(2, 8), text: 'Is this group one thing?' }
  return { kind: 'pair', a: (i * 17 + 3) % n, b: (i * 29 + 11) % n, guess: 'same', chance: 0.6, again: false, text: 'Do these two belong together?' }
}
const reply = () => ({ state: state(), question: question(), labels_revision: revision })
function change(body, path) {
  revision++
  if (path === '/api/undo') undone.push(done.pop())
  else if (path === '/api/redo') done.push(undone.pop())
  else if (path === '/api/rename') names.set(body.cluster, body.name)
  else if (path === '/api/correct' && body.rows) body.rows.forEach((row) => (labels[row] = body.cluster ?? labels[body.rows[0]]))
  else if (path === '/api/correct') labels.forEach((c, i) => body.clusters.includes(c) && (labels[i] = body.clusters[0]))
  if (path === '/api/answer' || path === '/api/correct') done.push({ id: revision, kind: body.kind, rows: body.rows ?? [body.a, body.b], answer: body.answer ?? null, certain: !!body.certain, comment: '', look_again: !!body.look_again, text: body.kind === 'pair' ? `item-${body.a} and item-${body.b}: ${body.answer}` : body.kind, n_links: 1 })
  tellAll('state', { revision })
  tellAll('labels', { revision })
}
function fit() {
  let progress = 0
  const timer = setInterval(() => {
    progress += 0.1
    job = progress < 1 ? { kind: 'fit', text: 'cms on z-scores', progress, seconds_left: (1 - progress) * 5, can_cancel: true } : null
    tellAll('job', job)
    if (!job) clearInterval(timer)
  }, 400)
}
const FILES = { '/': ['index.html', 'text/html'], '/app.js': ['app.js', 'text/javascript'], '/app.css': ['app.css', 'text/css'], '/icon.svg': ['icon.svg', 'image/svg+xml'] }
const picture = (row) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="#fff"/><circle cx="32" cy="32" r="${8 + truth[row] * 2}" fill="hsl(${truth[row] * 40} 60% 50%)"/></svg>`

createServer(async (request, response) => {
  const { pathname: path, searchParams: query } = new URL(request.url, 'http://x')
  response.setHeader('Content-Security-Policy', "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'")
  const json = (value) => response.setHeader('Content-Type', 'application/json').end(JSON.stringify(value))
  const array = (value) => response.setHeader('X-Revision', revision).end(Buffer.from(value.buffer))
  let text = ''
  for await (const part of request) text += part
  const body = text ? JSON.parse(text) : {}
  if (FILES[path]) return response.setHeader('Content-Type', FILES[path][1]).end(await readFile(new URL(`../dist/${FILES[path][0]}`, import.meta.url)))
  if (path.startsWith('/api/image/')) return response.setHeader('Content-Type', 'image/svg+xml').end(picture(Number(path.slice(11))))
  if (path === '/api/events') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(`event: state\ndata: ${JSON.stringify({ revision })}\n\n`)
    clients.add(response)
    return request.on('close', () => clients.delete(response))
  }
  if (path === '/api/state') return json(state())
  if (path === '/api/question') return json(question())
  if (path === '/api/positions') return response.setHeader('X-Revision', 1).end(Buffer.from(xy.buffer))
  if (path === '/api/labels') return array(labels)
  if (path === '/api/links') return json(links())
  if (path === '/api/rows') return json(query.get('rows').split(',').map((row) => ({ ...item(Number(row)), cluster: labels[row] })))
  if (path === '/api/search') {
    const rows = [...labels.keys()].filter((row) => JSON.stringify(item(row)).includes(query.get('q')))
    return json({ rows: rows.slice(0, 1000), n: rows.length })
  }
  if (path === '/api/why') return json({ text: 'Both are near to item-5, which you placed there.', together: true })
  if (path === '/api/command') return json({ shell: 'linkshift fit mock.csv --links mock.answers.csv', python: 'import linkshift\nlinkshift.fit(X)' })
  if (path === '/api/selection') return response.end(['row,id,cluster,name', ...body.rows.map((row) => `${row},${item(row).id},${labels[row]},`)].join('\n'))
  if (path === '/api/fit') { fit(); return json({ job: null }) }
  if (path === '/api/cancel') { job = null; return json({}) }
  if (request.method === 'POST') { change(body, path); return json(reply()) }
  response.writeHead(404).end('{"error":"no such place"}')
}).listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/`))
