// The last ten answers; each can be changed, commented, marked or taken back.

import { useState } from 'preact/hooks'
import { edit } from '../actions'
import { Icon } from '../parts/icons'
import { roving } from '../parts/roving'
import { ItemLine } from '../parts/Item'
import { useRows } from '../rows'
import { marked, state } from '../store'
import type { Entry } from '../types'

/** The rows of a group, those that do not belong ticked. */
function Odd({ entry }: { entry: Entry }) {
  const items = useRows(entry.rows)
  const odd = Array.isArray(entry.answer) ? entry.answer : []
  const toggled = (row: number) => (odd.includes(row) ? odd.filter((other) => other !== row) : [...odd, row])
  return (
    <fieldset class="odd-rows">
      <legend class="quiet">Not part of it:</legend>
      {entry.rows.map((row, i) => (
        <label class="check" key={row}>
          <input type="checkbox" checked={odd.includes(row)} onChange={() => edit(entry.id, { answer: toggled(row) })} />
          <span class="odd-name">{items[i] ? <ItemLine row={items[i]} /> : `row ${row}`}</span>
        </label>
      ))}
    </fieldset>
  )
}

function Editor({ entry, close }: { entry: Entry; close: () => void }) {
  const [comment, setComment] = useState(entry.comment)
  return (
    <div class="editor">
      {entry.choices.length > 0 && (
        <div class="choices" role="group" aria-label="Answer">
          {entry.choices.map(({ text, answer }) => {
            const on = JSON.stringify(answer) === JSON.stringify(entry.answer)
            return (
              <button type="button" key={text} aria-pressed={on} class={on ? 'on' : ''} onClick={() => edit(entry.id, { answer })}>
                <bdi>{text}</bdi>
              </button>
            )
          })}
        </div>
      )}
      {entry.kind === 'group' && <Odd entry={entry} />}
      <label class="check">
        <input type="checkbox" checked={entry.certain} onChange={() => edit(entry.id, { certain: !entry.certain })} /> certain
      </label>
      <label class="check">
        <input type="checkbox" checked={entry.look_again} onChange={() => edit(entry.id, { look_again: !entry.look_again })} /> look again
      </label>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          edit(entry.id, { comment })
          close()
        }}
      >
        <input type="text" aria-label="Comment" placeholder="A comment" value={comment} maxLength={1000} onInput={(event) => setComment(event.currentTarget.value)} />
        <button type="submit">Save</button>
      </form>
      <button type="button" class="danger" onClick={() => edit(entry.id, { delete: true })}>Take this answer back</button>
    </div>
  )
}

function Line({ entry, first }: { entry: Entry; first: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <li>
      <button
        type="button"
        class="entry"
        tabIndex={first ? 0 : -1}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        onPointerEnter={() => (marked.value = entry.rows[0] ?? null)}
        onPointerLeave={() => (marked.value = null)}
      >
        <span class="entry-text"><bdi>{entry.text}</bdi></span>
        {entry.certain && <span class="tag">certain</span>}
        {entry.look_again && <span class="tag flagged"><Icon name="flag" size={12} /> look again</span>}
      </button>
      {entry.comment && !open && <p class="comment quiet"><bdi>{entry.comment}</bdi></p>}
      {open && <Editor entry={entry} close={() => setOpen(false)} />}
    </li>
  )
}

export function History() {
  const entries = state.value?.history ?? []
  if (entries.length === 0) return null
  return (
    <section class="history">
      <h3>Last answers</h3>
      <ul onKeyDown={(event) => !(event.target instanceof HTMLInputElement) && roving(event)}>
        {entries.map((entry, i) => <Line entry={entry} first={i === 0} key={entry.id} />)}
      </ul>
    </section>
  )
}
