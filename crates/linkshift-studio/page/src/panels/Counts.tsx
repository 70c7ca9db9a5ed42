// How many answers there are, and undo and redo with what they would do.

import { redo, undo } from '../actions'
import { count, percent, plural } from '../format'
import { Icon } from '../parts/icons'
import { state } from '../store'

export function Counts() {
  const now = state.value
  if (!now) return null
  const { n, same, different, placed, groups, unsure, corrections } = now.answers
  // Each answer is counted once, by what it was; the links they became are a count of their own.
  const parts = [
    [same, `${count(same)} same`],
    [different, `${count(different)} different`],
    [placed, `${count(placed)} placed`],
    [groups, plural(groups, 'group looked at', 'groups looked at')],
    [unsure, `${count(unsure)} unsure`],
    [corrections, plural(corrections, 'correction')],
  ] as const
  const said = parts.filter(([many]) => many > 0).map(([, text]) => text)
  const { n_must, n_cannot } = now.links
  return (
    <section class="counts" aria-label="Answers so far">
      <p>
        <strong>{plural(n, 'answer')}</strong>
        {said.length > 0 && <span class="quiet"> · {said.join(' · ')}</span>}
        {n_must + n_cannot > 0 && (
          <span class="quiet link-counts"> → {count(n_must)} must-, {plural(n_cannot, 'cannot-link')}</span>
        )}
      </p>
      {now.share && (
        <p class="share-line">
          <Bar share={now.share.value} low={now.share.low} high={now.share.high} />
          <span class="quiet">
            about {percent(now.share.value)} of pairs right ({percent(now.share.low)}–{percent(now.share.high)})
          </span>
        </p>
      )}
      <div class="undo">
        <button type="button" disabled={!now.can_undo} onClick={undo} aria-keyshortcuts="z" title={now.undo_text ? `Undo ${now.undo_text} (z)` : 'Nothing to undo'}>
          <Icon name="undo" size={16} />
          <span>Undo{now.undo_text ? <bdi class="quiet"> {now.undo_text}</bdi> : null}</span>
        </button>
        <button type="button" disabled={!now.can_redo} onClick={redo} aria-keyshortcuts="y" title={now.redo_text ? `Redo ${now.redo_text} (y)` : 'Nothing to redo'}>
          <Icon name="redo" size={16} />
          <span>Redo{now.redo_text ? <bdi class="quiet"> {now.redo_text}</bdi> : null}</span>
        </button>
      </div>
    </section>
  )
}

/** A share between 0 and 1 with its interval. */
export function Bar({ share, low, high }: { share: number; low: number; high: number }) {
  const x = (value: number) => 100 * Math.min(Math.max(value, 0), 1)
  return (
    <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="bar-all" x="0" y="2" width="100" height="4" rx="2" />
      <rect class="bar-span" x={x(low)} y="1" width={Math.max(x(high) - x(low), 0.5)} height="6" />
      <rect class="bar-value" x="0" y="2" width={x(share)} height="4" />
    </svg>
  )
}
