import { effect } from '@preact/signals'
import { render } from 'preact'
import { onKey } from './keys'
import { start } from './live'
import { MapView } from './map/MapView'
import { Counts } from './panels/Counts'
import { ClustersPanel } from './panels/ClustersPanel'
import { Banners, Command, Help, Told } from './panels/Overlays'
import { QuestionPanel } from './panels/QuestionPanel'
import { SelectionPanel } from './panels/SelectionPanel'
import { TopBar } from './panels/TopBar'
import { count } from './format'
import { roving } from './parts/roving'
import { dark, selectedRows, state, tab, type Tab } from './store'
import './style.css'

function Tabs() {
  const now = state.value
  const n = selectedRows.value.length
  const all: [Tab, string][] = [
    ['question', 'Questions'],
    ['clusters', now ? `Clusters ${count(now.clusters.length)}` : 'Clusters'],
    ['selection', n > 0 ? `Selection ${count(n)}` : 'Selection'],
  ]
  return (
    <div class="tabs" role="tablist" aria-label="Panels" onKeyDown={roving}>
      {all.map(([name, text]) => (
        <button
          type="button"
          key={name}
          role="tab"
          id={`tab-${name}`}
          aria-controls="panel"
          aria-selected={tab.value === name}
          tabIndex={tab.value === name ? 0 : -1}
          onClick={() => (tab.value = name)}
          onFocus={() => (tab.value = name)}
        >
          {text}
        </button>
      ))}
    </div>
  )
}

function Notes() {
  const notes = state.value?.notes ?? []
  if (notes.length === 0) return null
  return (
    <details class="notes">
      <summary>{notes.length === 1 ? 'A note' : `${notes.length} notes`} on the data</summary>
      <ul>{notes.map((note) => <li key={note}><bdi>{note}</bdi></li>)}</ul>
    </details>
  )
}

function App() {
  return (
    <div class="page">
      <TopBar />
      <Banners />
      <main>
        <MapView />
        <aside>
          <Tabs />
          <div id="panel" class="panel" role="tabpanel" aria-labelledby={`tab-${tab.value}`}>
            <Notes />
            {tab.value === 'question' && <QuestionPanel />}
            {tab.value === 'clusters' && <ClustersPanel />}
            {tab.value === 'selection' && <SelectionPanel />}
          </div>
          <Counts />
        </aside>
      </main>
      <Told />
      <Help />
      <Command />
    </div>
  )
}

effect(() => {
  document.documentElement.dataset.theme = dark.value ? 'dark' : 'light'
})
effect(() => {
  document.title = state.value ? `${state.value.name} · linkshift studio` : 'linkshift studio'
})
window.addEventListener('keydown', onKey)
render(<App />, document.getElementById('app') as HTMLElement)
void start()
