// A list of items: one stop for the tab key, arrows within, enter holds an item on the map.

import { useState } from 'preact/hooks'
import { count } from '../format'
import { loadRows, useRows } from '../rows'
import { held, hold, marked } from '../store'
import { ItemLine } from './Item'
import { roving } from './roving'

const AT_ONCE = 50

export function ItemList({ rows, label }: { rows: number[]; label: string }) {
  const [shown, setShown] = useState(AT_ONCE)
  const listed = rows.slice(0, shown)
  const found = useRows(listed)
  const more = () => {
    void loadRows(rows.slice(shown, shown + AT_ONCE)).catch(() => undefined)
    setShown(shown + AT_ONCE)
  }
  return (
    <>
      <ul class="items" aria-label={label} onKeyDown={roving}>
        {listed.map((row, i) => (
          <li key={row}>
            <button
              type="button"
              class={held.value.includes(row) ? 'line held' : 'line'}
              aria-pressed={held.value.includes(row)}
              tabIndex={i === 0 ? 0 : -1}
              onClick={() => hold(row)}
              onPointerEnter={() => (marked.value = row)}
              onPointerLeave={() => (marked.value = null)}
              onFocus={() => (marked.value = row)}
              onBlur={() => (marked.value = null)}
            >
              {found[i] ? <ItemLine row={found[i]} /> : <span class="quiet">row {row}</span>}
            </button>
          </li>
        ))}
      </ul>
      {rows.length > shown && (
        <button type="button" class="plain" onClick={more}>
          Show more ({count(shown)} of {count(rows.length)} listed)
        </button>
      )}
    </>
  )
}
