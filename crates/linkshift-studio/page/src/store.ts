// All that the page knows, as signals; panels read them, `actions.ts` and `live.ts` set them.

import { batch, computed, signal } from '@preact/signals'
import type { Cluster, Job, Link, Question, Row, State } from './types'

export type Tab = 'question' | 'clusters' | 'selection'
export type Tool = 'pan' | 'lasso' | 'rectangle'
export type Theme = 'system' | 'light' | 'dark'
export type Connection = 'starting' | 'open' | 'lost' | 'closed'

export const state = signal<State | null>(null)
export const question = signal<Question | null>(null)
export const job = signal<Job | null>(null)
export const positions = signal<Float32Array | null>(null)
export const labels = signal<Int32Array | null>(null)
export const links = signal<Link[]>([])
export const rows = signal<ReadonlyMap<number, Row>>(new Map())

export const connection = signal<Connection>('starting')
/** An answer or a correction is on its way; keys wait for the next question. */
export const busy = signal(false)
/** What went wrong, in a sentence that says what to do. */
export const failure = signal<string | null>(null)
/** What has just been done, for a few seconds. */
export const told = signal<string | null>(null)

export const tab = signal<Tab>('question')
export const tool = signal<Tool>('pan')
export const showLinks = signal(true)
export const showNames = signal(true)
export const helpOpen = signal(false)
export const commandOpen = signal(false)

/** The point under the pointer, and up to two that were clicked, newest last. */
export const hovered = signal<number | null>(null)
/** The item of a list under the pointer or with the focus; it gets a ring on the map. */
export const marked = signal<number | null>(null)
export const held = signal<number[]>([])
/** The cluster that is looked at; the others are grey. */
export const activeCluster = signal<number | null>(null)
/** One byte per row, or null where nothing is selected. */
export const selection = signal<Uint8Array | null>(null)

/** Flags for the answer to the question on the screen. */
export const lookAgain = signal(false)
/** Rows ticked as not belonging, for the question whether a group is one thing. */
export const odd = signal<ReadonlySet<number>>(new Set())

export const selectedRows = computed<number[]>(() => {
  const mask = selection.value
  const out: number[] = []
  if (mask) for (let i = 0; i < mask.length; i++) if (mask[i]) out.push(i)
  return out
})

export const clustersById = computed<Map<number, Cluster>>(
  () => new Map((state.value?.clusters ?? []).map((cluster) => [cluster.id, cluster])),
)

export function clusterOf(row: number): Cluster | null {
  const label = labels.value?.[row]
  return label === undefined || label < 0 ? null : (clustersById.value.get(label) ?? null)
}

/** The rows that the question on the screen is about. */
export function rowsOf(question: Question | null): number[] {
  switch (question?.kind) {
    case 'pair':
      return [question.a, question.b]
    case 'place':
      return [question.row, ...question.groups.flatMap((group) => group.rows)]
    case 'group':
      return question.rows
    default:
      return []
  }
}

export function select(chosen: Iterable<number>, how: 'replace' | 'add' | 'remove' = 'replace') {
  const n = state.value?.n_rows ?? 0
  const old = selection.value
  const mask = old && how !== 'replace' ? old.slice() : new Uint8Array(n)
  const value = how === 'remove' ? 0 : 1
  for (const row of chosen) if (row < n) mask[row] = value
  batch(() => {
    selection.value = mask.includes(1) ? mask : null
    activeCluster.value = null
  })
}

export function selectNothing() {
  batch(() => {
    selection.value = null
    activeCluster.value = null
  })
}

/** Holds an item, or lets it go if it was held; the older of three is let go. */
export function hold(row: number) {
  const now = held.value
  held.value = now.includes(row) ? now.filter((other) => other !== row) : [...now, row].slice(-2)
}

const stored = (() => {
  try {
    return localStorage.getItem('linkshift-theme')
  } catch {
    return null
  }
})()
export const theme = signal<Theme>(stored === 'light' || stored === 'dark' ? stored : 'system')
const systemDark = matchMedia('(prefers-color-scheme: dark)')
const systemIsDark = signal(systemDark.matches)
systemDark.addEventListener('change', () => (systemIsDark.value = systemDark.matches))
export const dark = computed(() =>
  theme.value === 'system' ? systemIsDark.value : theme.value === 'dark',
)

export function setTheme(next: Theme) {
  theme.value = next
  try {
    if (next === 'system') localStorage.removeItem('linkshift-theme')
    else localStorage.setItem('linkshift-theme', next)
  } catch {
    // a browser that keeps nothing: the choice lasts as long as the page
  }
}
