// An item as a person knows it: its picture, its text, its fields. Everything that comes from the
// data is text, never markup, and stands in <bdi> so that it cannot turn the page's own words.

import { useEffect, useState } from 'preact/hooks'
import { differences, type Piece } from '../words'
import { labels } from '../store'
import type { Row } from '../types'
import { ClusterChip } from './Swatch'

/** `clusterOf` by the newest labels. */
function Chip({ row }: { row: Row }) {
  return <ClusterChip cluster={labels.value?.[row.row] ?? row.cluster} />
}

export function Picture({ row, small = false }: { row: Row; small?: boolean }) {
  const [missing, setMissing] = useState(false)
  useEffect(() => setMissing(false), [row.row])
  if (!row.image) return null
  if (missing) return <span class={small ? 'thumb missing' : 'picture missing'} title="The file is missing, or is no picture">no picture</span>
  return <img onError={() => setMissing(true)} class={small ? 'thumb' : 'picture'} src={`/api/image/${row.row}`} alt={`picture of ${row.id}`} loading="lazy" draggable={false} />
}

function Marked({ pieces }: { pieces: Piece[] }) {
  return (
    <bdi>
      {pieces.map((piece) => (piece.differs ? <mark>{piece.text}</mark> : piece.text))}
    </bdi>
  )
}

export function ItemCard({ row }: { row: Row }) {
  return (
    <div class={row.image ? 'item pictured' : 'item'}>
      <div class="item-head">
        <bdi class="item-id" title={row.id}>{row.id}</bdi>
        <Chip row={row} />
      </div>
      <Picture row={row} />
      {row.text !== null && <p class="text"><bdi>{row.text}</bdi></p>}
      {row.fields.length > 0 && (
        <dl class="fields">
          {row.fields.map(([name, value]) => (
            <div key={name}>
              <dt><bdi>{name}</bdi></dt>
              <dd><bdi>{value}</bdi></dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

/** One line: for lists. */
export function ItemLine({ row }: { row: Row }) {
  const words = row.text ?? row.fields.map(([, value]) => value).join(' · ')
  return (
    <>
      <Picture row={row} small />
      <span class="line-words">
        <bdi class="item-id">{row.id}</bdi>
        {words && words !== row.id && <bdi class="quiet">{words.slice(0, 200)}</bdi>}
      </span>
    </>
  )
}

/** Two items side by side, field by field. */
export function Compare({ a, b, names = ['A', 'B'] }: { a: Row; b: Row; names?: [string, string] }) {
  const fields = [...new Set([...a.fields, ...b.fields].map(([name]) => name))]
  const value = (row: Row, name: string) => row.fields.find(([key]) => key === name)?.[1] ?? ''
  const texts = a.text !== null || b.text !== null ? differences(a.text ?? '', b.text ?? '') : null
  const nDiffer = fields.filter((name) => value(a, name) !== value(b, name)).length
  return (
    <div class="compare">
      <div class="heads">
        {[a, b].map((row, i) => (
          <div class="item-head" key={i}>
            <span class="badge" aria-hidden="true">{names[i]}</span>
            <bdi class="item-id" title={row.id}>{row.id}</bdi>
            <Chip row={row} />
          </div>
        ))}
      </div>
      {(a.image || b.image) && (
        <div class="pictures">
          <Picture row={a} />
          <Picture row={b} />
        </div>
      )}
      {texts && (
        <div class="texts">
          <p class="text"><Marked pieces={texts[0]} /></p>
          <p class="text"><Marked pieces={texts[1]} /></p>
        </div>
      )}
      {fields.length > 0 && (
        <table>
          <caption class="quiet">
            {nDiffer === 0 ? 'All fields are the same.' : `${nDiffer} of ${fields.length} fields differ.`}
          </caption>
          <tbody>
            {fields.map((name) => {
              const [left, right] = [value(a, name), value(b, name)]
              const [was, is] = differences(left, right)
              return (
                <tr key={name} class={left === right ? 'same' : 'differs'}>
                  <th scope="row"><bdi title={name}>{name}</bdi></th>
                  <td><Marked pieces={was} /></td>
                  <td><Marked pieces={is} /></td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
    </div>
  )
}
