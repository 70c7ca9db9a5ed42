// Server-sent events keep the page in step with the server and with other pages on the same data.

import { hear, loadLabels, loadPositions, refresh, report } from './actions'
import { ApiError } from './api'
import { connection, failure, job } from './store'

const RETRY_AFTER = 2000

let source: EventSource | null = null
let timer = 0

const parsed = (event: Event) => JSON.parse((event as MessageEvent<string>).data)

export function connect() {
  clearTimeout(timer)
  source?.close()
  source = new EventSource('/api/events')
  source.addEventListener('open', () => {
    if (connection.value === 'lost') void whole()
    connection.value = 'open'
  })
  source.addEventListener('state', (event) => hear(parsed(event).revision))
  source.addEventListener('labels', () => loadLabels().catch(report))
  source.addEventListener('positions', () => loadPositions().catch(report))
  source.addEventListener('job', (event) => (job.value = parsed(event)))
  source.addEventListener('error', () => {
    if (connection.value !== 'closed') connection.value = 'lost'
    source?.close()
    timer = window.setTimeout(retry, RETRY_AFTER)
  })
}

/** Asks for everything; says so if this studio is no longer the one that made the page. */
async function whole(): Promise<boolean> {
  try {
    await refresh()
    return true
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) {
      connection.value = 'closed'
    } else if (error instanceof ApiError && error.status === 0) {
      connection.value = 'lost'
    } else {
      report(error)
    }
    return false
  }
}

export async function retry() {
  clearTimeout(timer)
  if (await whole()) connect()
  else if (connection.value !== 'closed') timer = window.setTimeout(retry, RETRY_AFTER)
}

export async function start() {
  await retry()
  // A browser keeps a hidden page's stream, but a sleeping machine may have lost it.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && connection.value === 'lost') void retry()
  })
  window.addEventListener('unhandledrejection', (event) => {
    failure.value = `Something went wrong in the page: ${String(event.reason)}. Reload it; nothing is lost.`
  })
}
