// Rows are fetched when something shows them, a few hundred at a time, and kept.

import { useEffect } from 'preact/hooks'
import { get } from './api'
import { rows } from './store'
import type { Row } from './types'

/** As many as the server gives at once. */
const AT_ONCE = 200
/** More than this many are forgotten, the oldest first. */
const MOST_KEPT = 20_000

const asked = new Set<number>()

/** Fetches those that are not there yet; resolves when all of them are. */
export async function loadRows(wanted: number[]): Promise<void> {
  const missing = [...new Set(wanted)].filter((row) => !rows.value.has(row) && !asked.has(row))
  const parts: Promise<void>[] = []
  for (let at = 0; at < missing.length; at += AT_ONCE) {
    parts.push(loadPart(missing.slice(at, at + AT_ONCE)))
  }
  await Promise.all(parts)
}

async function loadPart(part: number[]) {
  part.forEach((row) => asked.add(row))
  try {
    const found = await get<Row[]>(`/api/rows?rows=${part.join(',')}`)
    const next = new Map(rows.value)
    found.forEach((row) => next.set(row.row, row))
    for (const old of next.keys()) {
      if (next.size <= MOST_KEPT) break
      next.delete(old)
    }
    rows.value = next
  } finally {
    part.forEach((row) => asked.delete(row))
  }
}

/** Forgets what is known, for rows whose chances a new clustering has changed. */
export function refreshRows(stale: number[]) {
  if (stale.length === 0) return
  void get<Row[]>(`/api/rows?rows=${stale.slice(0, AT_ONCE).join(',')}`).then((found) => {
    const next = new Map(rows.value)
    found.forEach((row) => next.set(row.row, row))
    rows.value = next
  }, () => undefined)
}

/** The rows as far as they are there; the missing ones are on their way. */
export function useRows(wanted: number[]): (Row | null)[] {
  useEffect(() => {
    loadRows(wanted).catch(() => undefined) // the connection's banner tells of it
  }, [wanted.join(',')])
  return wanted.map((row) => rows.value.get(row) ?? null)
}
