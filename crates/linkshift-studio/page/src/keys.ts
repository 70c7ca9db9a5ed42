// Keys that work everywhere on the page, except where somebody types.

import { answerGroup, answerPair, answerPlace, redo, toggleOdd, undo } from './actions'
import { theMap } from './map/MapView'
import { busy, held, helpOpen, lookAgain, odd, question, selectNothing, tab, tool, type Tab } from './store'

const TABS: Tab[] = ['question', 'clusters', 'selection']

function typing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  const words = target instanceof HTMLInputElement && target.type !== 'checkbox'
  return words || target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName)
}

function turn(step: number) {
  const now = TABS.indexOf(tab.value)
  tab.value = TABS[(now + step + TABS.length) % TABS.length]
}

function answer(key: string, certain: boolean): boolean {
  const asked = question.value
  const words = { s: 'same', d: 'different', u: 'unsure' } as const
  const word = words[key as keyof typeof words]
  if (!asked || asked.kind === 'none' || asked.kind === 'wait') return false
  if (busy.value) return word !== undefined
  if (asked.kind === 'pair' && word) answerPair(word, certain)
  else if (asked.kind === 'group' && word) answerGroup(word, certain)
  else if (asked.kind === 'place' && word === 'unsure') answerPlace('unsure', certain)
  else return false
  return true
}

function digit(n: number, certain: boolean): boolean {
  const asked = question.value
  if (busy.value) return true
  if (asked?.kind === 'place') answerPlace(n === 0 ? null : n - 1, certain)
  else if (asked?.kind === 'group' && n === 0) odd.value = new Set()
  else if (asked?.kind === 'group' && asked.rows[n - 1] !== undefined) toggleOdd(asked.rows[n - 1])
  else return false
  return true
}

function escape() {
  if (tool.value !== 'pan') tool.value = 'pan'
  else {
    held.value = []
    selectNothing()
  }
}

/** Answers count on the page with the question only: elsewhere a key must not answer unseen. */
export function onKey(event: KeyboardEvent) {
  // A window above the page has its own keys; one that is closing has none any more.
  if (document.querySelector('dialog[open]') || event.defaultPrevented) return
  const control = event.ctrlKey || event.metaKey
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  if (typing(event.target)) return
  if (control) {
    if (key === 'z' && !event.shiftKey) undo()
    else if (key === 'y' || (key === 'z' && event.shiftKey)) redo()
    else return
    event.preventDefault()
    return
  }
  const map = theMap()
  const number = /^(?:Digit|Numpad)([0-9])$/.exec(event.code)?.[1]
  const asking = tab.value === 'question'
  let done = true
  if (key === 'e') map?.selectVisible(event.altKey ? 'remove' : event.shiftKey ? 'add' : 'replace')
  else if (event.altKey) done = false
  else if (asking && number !== undefined && event.key !== '?' && event.key !== '/') done = digit(Number(number), event.shiftKey)
  else if (asking && ['s', 'd', 'u'].includes(key)) done = answer(key, event.shiftKey)
  else if (asking && key === 'f') lookAgain.value = !lookAgain.value
  else if (key === 'y' || (key === 'z' && event.shiftKey)) redo()
  else if (key === 'z') undo()
  else if (event.key === '?') helpOpen.value = true
  else if (key === '/') document.querySelector<HTMLElement>('.search input')?.focus()
  else if (key === '[' || key === ']') turn(key === ']' ? 1 : -1)
  else if (key === 'v') tool.value = 'pan'
  else if (key === 'l') tool.value = 'lasso'
  else if (key === 'r') tool.value = 'rectangle'
  else if (key === 'a') map?.showAll()
  else if (key === 'c') map?.showQuestion()
  else if (key === 'Escape') escape()
  else done = false
  if (done) event.preventDefault()
}
