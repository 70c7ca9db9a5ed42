// Help, the command, and what went wrong.

import { useEffect, useState } from 'preact/hooks'
import { report, tell } from '../actions'
import { get } from '../api'
import { retry } from '../live'
import { Dialog } from '../parts/Dialog'
import { Icon } from '../parts/icons'
import { commandOpen, connection, failure, helpOpen, state, told } from '../store'

const KEYS: [string, [string, string][]][] = [
  ['Answers', [
    ['s', 'the two are the same; the group is one thing'],
    ['d', 'they are different; the ticked ones do not belong'],
    ['u', 'unsure: a fair answer, nothing is made of it'],
    ['1 … 9', 'choose a group, or tick an item'],
    ['0', 'none of these'],
    ['shift', 'with any answer: certain, to be kept at all costs'],
    ['f', 'mark the answer to be looked at again'],
    ['z', 'undo: answers, corrections, names, everything'],
    ['y or shift z', 'redo'],
  ]],
  ['Map', [
    ['drag, wheel', 'pan and zoom; a click holds an item, a second one compares'],
    ['shift / alt drag', 'lasso that adds / takes away'],
    ['v, l, r', 'pan, lasso, rectangle'],
    ['arrows, + −', 'pan and zoom while the map has the focus; enter holds the item in the middle'],
    ['a', 'the whole map'],
    ['c', 'the points of the question'],
    ['e', 'select everything in view (shift adds, alt takes away)'],
    ['Escape', 'let go of everything'],
  ]],
  ['Page', [
    ['[ and ]', 'the panel to the left, to the right'],
    ['/', 'search'],
    ['F2', 'rename the cluster'],
    ['?', 'this help'],
  ]],
]

export function Help() {
  if (!helpOpen.value) return null
  return (
    <Dialog title="How it works" onClose={() => (helpOpen.value = false)}>
      <p>
        Each point on the map is a row of your data, and colours show the clusters found so far. Answer
        the questions: each is chosen because its answer helps most. Correct what looks wrong on the
        map. <em>Fit</em> clusters everything anew and obeys all you said. Everything can be undone,
        and everything is on disk at once.
      </p>
      {KEYS.map(([title, keys]) => (
        <section key={title}>
          <h3>{title}</h3>
          <dl class="keys">
            {keys.map(([key, what]) => (
              <div key={key}><dt><kbd>{key}</kbd></dt><dd>{what}</dd></div>
            ))}
          </dl>
        </section>
      ))}
      <p class="quiet small">linkshift {state.value?.version}. Nothing leaves this machine.</p>
    </Dialog>
  )
}

export function Command() {
  if (!commandOpen.value) return null
  return (
    <Dialog title="The same labels by command" onClose={() => (commandOpen.value = false)}>
      <Commands />
    </Dialog>
  )
}

function Commands() {
  const [lines, setLines] = useState<{ shell: string; python: string } | null>(null)
  useEffect(() => {
    get<{ shell: string; python: string }>('/api/command').then(setLines, report)
  }, [])
  if (!lines) return <p class="quiet">Fetching…</p>
  return (
    <>
      <Copy title="Shell" text={lines.shell} />
      <Copy title="Python" text={lines.python} />
    </>
  )
}

function Copy({ title, text }: { title: string; text: string }) {
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => tell(`Copied the ${title} lines.`),
      () => tell('The browser did not allow copying; select the lines and copy them by hand.'),
    )
  return (
    <section class="copy">
      <header class="section-head">
        <h3>{title}</h3>
        <button type="button" onClick={copy}>Copy</button>
      </header>
      <pre tabIndex={0}>{text}</pre>
    </section>
  )
}

export function Banners() {
  return (
    <div class="banners" role="alert">
      {connection.value === 'lost' && (
        <div class="banner lost">
          <span>The connection to the studio is lost. Nothing you answered is. Trying again every two seconds…</span>
          <button type="button" onClick={() => void retry()}>Try now</button>
        </div>
      )}
      {connection.value === 'closed' && (
        <div class="banner bad">
          <span>This page belongs to a studio that has ended. Open the address that <code>linkshift studio</code> prints now.</span>
          <button type="button" onClick={() => void retry()}>Try again</button>
        </div>
      )}
      {failure.value !== null && (
        <div class="banner bad">
          <bdi>{failure.value}</bdi>
          <button type="button" class="square" aria-label="Close" onClick={() => (failure.value = null)}><Icon name="close" size={16} /></button>
        </div>
      )}
    </div>
  )
}

export function Told() {
  return <div class="told" role="status">{told.value !== null && <span>{told.value}</span>}</div>
}
