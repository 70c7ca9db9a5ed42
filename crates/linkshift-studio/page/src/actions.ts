// What a person can do. Each goes to the server first; what comes back is what is shown.

import { batch } from '@preact/signals'
import { ApiError, get, getArray, post, postForText } from './api'
import { plural } from './format'
import { loadRows, refreshRows } from './rows'
import {
  activeCluster, busy, failure, held, job, labels, links, lookAgain, odd, positions, question, rowsOf,
  selectedRows, selection, state, told,
} from './store'
import type { Entry, Job, Link, PairAnswer, Question, Reply, State } from './types'

let labelsRevision = -1
let positionsRevision = -1
let linksRevision = -1
let toldTimer = 0

export function tell(text: string) {
  told.value = text
  clearTimeout(toldTimer)
  toldTimer = window.setTimeout(() => (told.value = null), 6000)
}

export function report(error: unknown) {
  const lost = error instanceof ApiError && error.status === 0
  // A lost connection has a banner of its own, which goes away when it is back.
  if (!lost) failure.value = error instanceof Error ? error.message : String(error)
}

function setQuestion(next: Question) {
  if (JSON.stringify(next) === JSON.stringify(question.value)) return
  question.value = next
  lookAgain.value = false
  odd.value = new Set()
}

async function apply(next: State, asked: Question) {
  // The rows come first, so that the next question is on the screen at once and whole.
  await loadRows(rowsOf(asked)).catch(report)
  batch(() => {
    const gone = state.value && next.n_rows !== state.value.n_rows
    state.value = next
    job.value = next.job
    if (gone) selection.value = null
    const active = activeCluster.value
    if (active !== null && !next.clusters.some((cluster) => cluster.id === active)) {
      activeCluster.value = null
    }
    setQuestion(asked)
  })
  void follow(next)
}

/** Fetches the arrays that a state says are newer than ours. */
async function follow(next: State) {
  try {
    const jobs: Promise<void>[] = []
    if (next.positions.revision !== positionsRevision) jobs.push(loadPositions())
    if (next.labels.revision !== labelsRevision) jobs.push(loadLabels())
    if (next.revision !== linksRevision) jobs.push(loadLinks(next.revision))
    await Promise.all(jobs)
  } catch (error) {
    report(error)
  }
}

/** Runs one at a time; a call while it runs makes it run once more. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let again = false
  const run = async () => {
    do {
      again = false
      await work()
    } while (again)
  }
  return () => {
    if (running) again = true
    else running = run().finally(() => (running = null))
    return running as Promise<void>
  }
}

export const loadLabels = oneAtATime(async () => {
  const { data, revision } = await getArray('/api/labels')
  if (revision === labelsRevision && labels.value) return
  labelsRevision = revision
  labels.value = new Int32Array(data)
  refreshRows([...new Set([...held.value, ...rowsOf(question.value)])])
})

export const loadPositions = oneAtATime(async () => {
  const { data, revision } = await getArray('/api/positions')
  if (revision === positionsRevision && positions.value) return
  positionsRevision = revision
  positions.value = new Float32Array(data)
})

async function loadLinks(revision: number) {
  linksRevision = revision
  links.value = await get<Link[]>('/api/links')
}

/** Everything anew: at the start, after a lost connection, and when another page did something. */
export const refresh = oneAtATime(async () => {
  const [next, asked] = await Promise.all([get<State>('/api/state'), get<Question>('/api/question')])
  await apply(next, asked)
})

/** The newest revision that the server spoke of while an action of ours was on its way. */
export let heard = -1
export function hear(revision: number) {
  heard = revision
  if (!busy.value && revision !== state.value?.revision) refresh().catch(report)
}

async function act(path: string, body: unknown): Promise<State | null> {
  if (busy.value) return null
  busy.value = true
  failure.value = null
  heard = -1
  try {
    const reply = await post<Reply>(path, body)
    await apply(reply.state, reply.question)
    return reply.state
  } catch (error) {
    report(error)
    return null
  } finally {
    busy.value = false
    if (heard > (state.value?.revision ?? -1)) refresh().catch(report)
  }
}

const flags = () => (lookAgain.value ? { look_again: true } : {})

export function answerPair(answer: PairAnswer, certain: boolean) {
  const asked = question.value
  if (asked?.kind !== 'pair') return
  void act('/api/answer', { kind: 'pair', a: asked.a, b: asked.b, answer, certain, ...flags() })
}

export function answerPlace(chosen: number | null | 'unsure', certain: boolean) {
  const asked = question.value
  if (asked?.kind !== 'place') return
  if (typeof chosen === 'number' && chosen >= asked.groups.length) return
  const groups = asked.groups.map((group) => group.rows)
  void act('/api/answer', { kind: 'place', row: asked.row, groups, chosen, certain, ...flags() })
}

/** With nothing ticked the group is one thing. */
export function answerGroup(answer: 'same' | 'different' | 'unsure', certain: boolean) {
  const asked = question.value
  if (asked?.kind !== 'group') return
  const base = { kind: 'group', rows: asked.rows, certain, ...flags() }
  if (answer === 'unsure') {
    void act('/api/answer', { ...base, unsure: true })
    return
  }
  const ticked = answer === 'same' ? [] : asked.rows.filter((row) => odd.value.has(row))
  if (answer === 'different' && ticked.length === 0) {
    tell('Tick those that do not belong first: press their numbers, or click them.')
    return
  }
  void act('/api/answer', { ...base, odd: ticked })
}

export function toggleOdd(row: number) {
  const next = new Set(odd.value)
  if (!next.delete(row)) next.add(row)
  odd.value = next
}

export function undo() {
  if (state.value?.can_undo) void act('/api/undo', {})
  else tell('There is nothing to undo.')
}

export function redo() {
  if (state.value?.can_redo) void act('/api/redo', {})
  else tell('There is nothing to redo.')
}

export interface Edit {
  answer?: Entry['answer']
  certain?: boolean
  comment?: string
  look_again?: boolean
  delete?: boolean
}

export function edit(id: number, change: Edit) {
  void act('/api/edit', { id, ...change })
}

export async function answerHeld(answer: PairAnswer) {
  const [a, b] = held.value
  if (b === undefined) return
  const next = await act('/api/answer', { kind: 'pair', a, b, answer, certain: false })
  if (next) tell(`Said of ${next.history[0]?.text ?? 'these two'}. Undo with z.`)
}

/** How many links a correction became, in words. */
async function correct(body: unknown, done: string) {
  const next = await act('/api/correct', body)
  if (!next) return
  const n = next.history[0]?.n_links
  tell(n === undefined ? `${done}.` : `${done}: ${plural(n, 'link')}. Undo with z.`)
}

export function together() {
  const rows = selectedRows.value
  void correct({ kind: 'together', rows }, `${plural(rows.length, 'item')} belong together`)
}

export function notThese(cluster: number, rows: number[], asOne: boolean) {
  const body = { kind: 'apart', rows, cluster, together: asOne }
  void correct(body, `${plural(rows.length, 'item')} left the cluster`)
}

export function move(rows: number[], cluster: number) {
  void correct({ kind: 'move', rows, cluster }, `${plural(rows.length, 'item')} moved`)
}

export function merge(clusters: number[]) {
  void correct({ kind: 'merge', clusters }, `${plural(clusters.length, 'cluster')} merged`)
}

export function rename(cluster: number, name: string) {
  void act('/api/rename', { cluster, name })
}

export function askAgain(a: number, b: number) {
  void act('/api/ask_again', { a, b })
}

export function fit() {
  failure.value = null
  post<{ job: Job | null }>('/api/fit', {}).then((reply) => {
    if (reply.job && typeof reply.job === 'object') job.value = reply.job
  }, report)
}

/** The map by neighbours, after it was cancelled. */
export function layOut() {
  post('/api/map', {}).catch(report)
}

export function cancel(kind: string) {
  post('/api/cancel', { kind }).then(() => tell(kind === 'fit' ? 'The fit stops; your answers stay.' : 'The map stays as it is.'), report)
}

/** The selection's ids, as a file. */
export async function exportSelection() {
  try {
    const text = await postForText('/api/selection', { rows: selectedRows.value })
    const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
    const link = document.createElement('a')
    link.href = url
    link.download = 'selection.csv'
    link.click()
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
  } catch (error) {
    report(error)
  }
}
