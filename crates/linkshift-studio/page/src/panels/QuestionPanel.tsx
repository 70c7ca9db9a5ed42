// One question at a time, large, with one key for each answer.

import { answerGroup, answerPair, answerPlace, toggleOdd } from '../actions'
import { count, percent } from '../format'
import { Compare, ItemCard, ItemLine, Picture } from '../parts/Item'
import { Icon } from '../parts/icons'
import { Swatch } from '../parts/Swatch'
import { useRows } from '../rows'
import { busy, lookAgain, odd, question, state } from '../store'
import type { GroupQuestion, PairQuestion, PlaceQuestion } from '../types'
import { History } from './History'

function Key(props: { letter: string }) {
  return <kbd aria-hidden="true">{props.letter}</kbd>
}

function Answer(props: { letter: string; text: string; strong?: boolean; onClick: (certain: boolean) => void }) {
  return (
    <button
      type="button"
      class={props.strong ? 'answer strong' : 'answer'}
      aria-keyshortcuts={props.letter}
      aria-disabled={busy.value}
      onClick={(event) => props.onClick(event.shiftKey)}
    >
      <span>{props.text}</span>
      <Key letter={props.letter} />
    </button>
  )
}

function Pair({ asked }: { asked: PairQuestion }) {
  const [a, b] = useRows([asked.a, asked.b])
  return (
    <>
      {a && b ? <Compare a={a} b={b} /> : <p class="quiet">Fetching the two items…</p>}
      <div class="answers">
        <Answer letter="s" text="Same" strong onClick={(certain) => answerPair('same', certain)} />
        <Answer letter="d" text="Different" strong onClick={(certain) => answerPair('different', certain)} />
        <Answer letter="u" text="Unsure" onClick={(certain) => answerPair('unsure', certain)} />
      </div>
    </>
  )
}

function Place({ asked }: { asked: PlaceQuestion }) {
  const [item] = useRows([asked.row])
  const members = useRows(asked.groups.flatMap((group) => group.rows))
  let at = 0
  return (
    <>
      <div class="place">{item ? <ItemCard row={item} /> : <p class="quiet">Fetching the item…</p>}</div>
      <ol class="groups">
        {asked.groups.map((group, i) => {
          const mine = members.slice(at, (at += group.rows.length))
          return (
            <li key={i}>
              <button type="button" class="group" aria-disabled={busy.value} aria-keyshortcuts={`${i + 1}`} onClick={(event) => answerPlace(i, event.shiftKey)}>
                <span class="group-head">
                  <Key letter={`${i + 1}`} />
                  <Swatch cluster={group.cluster} />
                  <bdi>{group.name}</bdi>
                </span>
                <span class={state.value?.has_images ? 'group-items pictured' : 'group-items'}>
                  {mine.map((row) => row && (row.image
                    ? <Picture row={row} key={row.row} />
                    : <span class="line" key={row.row}><ItemLine row={row} /></span>))}
                </span>
              </button>
            </li>
          )
        })}
      </ol>
      <div class="answers">
        <Answer letter="0" text="None of these" onClick={(certain) => answerPlace(null, certain)} />
        <Answer letter="u" text="Unsure" onClick={(certain) => answerPlace('unsure', certain)} />
      </div>
    </>
  )
}

function Group({ asked }: { asked: GroupQuestion }) {
  const members = useRows(asked.rows)
  const n = asked.rows.filter((row) => odd.value.has(row)).length
  return (
    <>
      <p class="group-name"><Swatch cluster={asked.cluster} /> <bdi>{asked.name}</bdi></p>
      <p class="quiet">Tick those that do not belong, by click or number.</p>
      <ol class="members">
        {asked.rows.map((row, i) => (
          <li key={row}>
            <button type="button" class={odd.value.has(row) ? 'line odd' : 'line'} aria-pressed={odd.value.has(row)} onClick={() => toggleOdd(row)}>
              <Key letter={i < 9 ? `${i + 1}` : '·'} />
              {members[i] ? <ItemLine row={members[i]} /> : <span class="quiet">row {row}</span>}
              {odd.value.has(row) && <span class="odd-word">does not belong</span>}
            </button>
          </li>
        ))}
      </ol>
      <div class="answers">
        {n === 0 ? (
          <Answer letter="s" text="Yes, one thing" strong onClick={(certain) => answerGroup('same', certain)} />
        ) : (
          <Answer letter="d" text={`Not ${n === 1 ? 'this one' : `these ${n}`}`} strong onClick={(certain) => answerGroup('different', certain)} />
        )}
        <Answer letter="u" text="Unsure" onClick={(certain) => answerGroup('unsure', certain)} />
      </div>
    </>
  )
}

/** Nothing left to ask: a clear end, with what is known of the result. */
function End() {
  const now = state.value
  return (
    <div class="end">
      <h2>Nothing left to ask</h2>
      {now?.share && (
        <p>
          About <strong>{percent(now.share.value)}</strong> of the pairs are expected to be right
          ({percent(now.share.low)}–{percent(now.share.high)}).
        </p>
      )}
      <p class="quiet">
        {now?.saved_to ? <>All answers are in <bdi>{now.saved_to}</bdi>. </> : null}
        Look over the clusters, or export the result from the top of the page.
      </p>
    </div>
  )
}

export function QuestionPanel() {
  const asked = question.value
  const outlook = state.value?.outlook
  if (!asked) return <p class="quiet pad">The first question is on its way…</p>
  return (
    <div class="question" data-kind={asked.kind} data-rows={asked.kind === 'pair' ? `${asked.a},${asked.b}` : undefined}>
      <div class="asked" aria-busy={busy.value}>
        {asked.kind === 'none' ? (
          <End />
        ) : asked.kind === 'wait' ? (
          <div class="end">
            <h2>Looking for a good question…</h2>
            <p class="quiet">With this many items the first one takes a while. The map can be used meanwhile.</p>
          </div>
        ) : (
          <>
            <header class="ask">
              <h2 aria-live="polite">{asked.text}</h2>
              <button
                type="button"
                class={lookAgain.value ? 'flag on' : 'flag'}
                aria-pressed={lookAgain.value}
                aria-keyshortcuts="f"
                title="Mark the answer to be looked at again (f)"
                onClick={() => (lookAgain.value = !lookAgain.value)}
              >
                <Icon name="flag" size={16} /> look again
              </button>
            </header>
            {asked.kind === 'pair' && asked.again && <p class="note">You were asked this before; a link of it is in doubt.</p>}
            {asked.kind === 'pair' && <Pair asked={asked} />}
            {asked.kind === 'place' && <Place asked={asked} />}
            {asked.kind === 'group' && <Group asked={asked} />}
            <p class="hint quiet">
              {asked.kind === 'pair' && asked.guess && asked.chance !== null
                ? `The clustering would say ${asked.guess} (${percent(asked.guess === 'same' ? asked.chance : 1 - asked.chance)}). `
                : ''}
              Hold shift if you are certain.
            </p>
          </>
        )}
      </div>
      {outlook && outlook.text && asked.kind !== 'none' && <p class={outlook.settled ? 'outlook settled' : 'outlook'}>{outlook.text}</p>}
      <History />
      <p class="quiet small pad-top">
        {state.value?.saved_to ? <>Every answer is on disk, in <bdi>{state.value.saved_to}</bdi>.</> : null}
        {state.value?.links ? ` ${count(state.value.links.n_must + state.value.links.n_cannot)} links in all.` : null}
      </p>
    </div>
  )
}
