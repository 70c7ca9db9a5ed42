// Name, search, fit, export, command, theme, help.

import { useEffect, useRef, useState } from 'preact/hooks'
import { cancel, fit, report } from '../actions'
import { get } from '../api'
import { count, plural, seconds } from '../format'
import { theMap } from '../map/MapView'
import { Icon } from '../parts/icons'
import { ItemLine } from '../parts/Item'
import { roving } from '../parts/roving'
import { useRows } from '../rows'
import { commandOpen, helpOpen, hold, job, select, setTheme, state, tab, theme, type Theme } from '../store'

interface Found {
  query: string
  rows: number[]
  n: number
}

const LISTED = 8

function Search() {
  const [query, setQuery] = useState('')
  const [found, setFound] = useState<Found | null>(null)
  const [open, setOpen] = useState(false)
  const timer = useRef(0)
  const box = useRef<HTMLDivElement>(null)
  const listed = found?.rows.slice(0, LISTED) ?? []
  const items = useRows(listed)
  const look = (text: string) => {
    setQuery(text)
    setOpen(true)
    clearTimeout(timer.current)
    if (text.trim() === '') {
      setFound(null)
      return
    }
    timer.current = window.setTimeout(() => {
      get<{ rows: number[]; n: number }>(`/api/search?q=${encodeURIComponent(text.trim())}`).then(
        (reply) => setFound({ query: text, ...reply }),
        report,
      )
    }, 150)
  }
  const choose = (rows: number[]) => {
    select(rows)
    tab.value = 'selection'
    theMap()?.show(rows)
    setOpen(false)
  }
  return (
    <div
      class="search"
      ref={box}
      role="search"
      onFocusOut={(event) => !box.current?.contains(event.relatedTarget as Node) && setOpen(false)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setOpen(false)
        else roving(event)
        // From the field, too, the arrow leads into the list.
        if (event.key === 'ArrowDown' && event.target instanceof HTMLInputElement) {
          box.current?.querySelector<HTMLElement>('button')?.focus()
          event.preventDefault()
        }
      }}
    >
      <Icon name="search" size={16} />
      <input
        type="search"
        placeholder="Search items"
        aria-label="Search items by id, field or text"
        value={query}
        onInput={(event) => look(event.currentTarget.value)}
        onFocus={() => setOpen(true)}
        onKeyDown={(event) => event.key === 'Enter' && found && found.n > 0 && choose(found.rows)}
      />
      {open && found && (
        <div class="found">
          {found.n === 0 ? (
            <p class="quiet">No item contains <bdi>{found.query}</bdi>.</p>
          ) : (
            <button type="button" class="all" onClick={() => choose(found.rows)}>
              Select {found.n > found.rows.length ? `the first ${count(found.rows.length)} of ${count(found.n)}` : plural(found.n, 'item')}
            </button>
          )}
          {listed.map((row, i) => (
            <button type="button" class="line" key={row} onClick={() => { hold(row); tab.value = 'selection'; theMap()?.show([row]); setOpen(false) }}>
              {items[i] ? <ItemLine row={items[i]} /> : `row ${row}`}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

function Fit() {
  const now = job.value
  if (!now) {
    return <button type="button" class="fit" onClick={fit} title="Cluster all items anew, obeying every answer">Fit</button>
  }
  const left = now.seconds_left !== null && now.seconds_left !== undefined ? `, ${seconds(now.seconds_left)} left` : ''
  return (
    <div class="job" role="status">
      <div class="job-words">
        <span class="job-text">{now.text || now.kind}</span>
        <span class="quiet">{now.progress === null ? 'working…' : `${Math.floor(now.progress * 100)} %`}{left}</span>
      </div>
      <progress value={now.progress ?? undefined} max={1} aria-label={now.text || now.kind} />
      {now.can_cancel && <button type="button" class="square" aria-label="Cancel" title="Cancel" onClick={() => cancel(now.kind)}><Icon name="close" size={16} /></button>}
    </div>
  )
}

const EXPORTS: [string, [string, string][]][] = [
  ['Labels with names', [['labels', 'csv'], ['labels', 'parquet'], ['labels', 'arrow']]],
  ['Links', [['links', 'csv']]],
  ['Answers', [['answers', 'csv']]],
  ['Model', [['model', 'model']]],
  ['Map', [['map', 'svg'], ['map', 'png']]],
]

function Export() {
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (open) box.current?.querySelector<HTMLElement>('.menu a')?.focus()
  }, [open])
  return (
    <div
      class="menu-box"
      ref={box}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && open) {
          setOpen(false)
          box.current?.querySelector('button')?.focus()
        } else if (open) roving(event)
      }}
      onFocusOut={(event) => !box.current?.contains(event.relatedTarget as Node) && setOpen(false)}
    >
      <button type="button" aria-haspopup="true" aria-expanded={open} onClick={() => setOpen(!open)}>
        Export <Icon name="down" size={14} />
      </button>
      {open && (
        <div class="menu">
          {EXPORTS.map(([title, kinds]) => (
            <div class="menu-row" key={title}>
              <span>{title}</span>
              {kinds.map(([what, format]) => (
                <a key={format} href={`/api/export?what=${what}&format=${format}`} download aria-label={`${title}, ${format}`}>
                  {format === 'model' ? 'file' : format}
                </a>
              ))}
            </div>
          ))}
          <button type="button" class="menu-command" onClick={() => { setOpen(false); commandOpen.value = true }}>Copy the command…</button>
        </div>
      )}
    </div>
  )
}

const THEMES: Record<Theme, { next: Theme; icon: 'auto' | 'sun' | 'moon'; text: string }> = {
  system: { next: 'light', icon: 'auto', text: 'Colours follow the system' },
  light: { next: 'dark', icon: 'sun', text: 'Light' },
  dark: { next: 'system', icon: 'moon', text: 'Dark' },
}

export function TopBar() {
  const now = state.value
  const shown = THEMES[theme.value]
  return (
    <header class="top">
      <div class="title">
        <svg width="20" height="20" viewBox="0 0 32 32" aria-hidden="true">
          <path class="logo-line" d="M9 22 23 10" />
          <circle class="logo-a" cx="9" cy="22" r="6" />
          <circle class="logo-b" cx="23" cy="10" r="6" />
        </svg>
        <h1 title={now?.name}><bdi>{now?.name ?? 'linkshift studio'}</bdi></h1>
        {now && <span class="quiet size-words">{plural(now.n_rows, 'row')} · {plural(now.n_features, 'feature')}</span>}
      </div>
      <Search />
      <Fit />
      <Export />
      <button type="button" class="square wide-only" aria-label={`Theme: ${shown.text}`} title={`Theme: ${shown.text}`} onClick={() => setTheme(shown.next)}>
        <Icon name={shown.icon} />
      </button>
      <button type="button" class="square" aria-label="Help" title="Help (?)" aria-keyshortcuts="?" onClick={() => (helpOpen.value = true)}>?</button>
    </header>
  )
}
