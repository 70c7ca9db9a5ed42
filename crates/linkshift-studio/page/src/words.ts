// Which words of two texts differ: the longest common run of words, or for very long texts
// simply whether the other text has the word at all.

export interface Piece {
  text: string
  differs: boolean
}

/** A table of this many cells is filled in a few milliseconds. */
const MOST_CELLS = 1_000_000

export function pieces(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []
}

export function differences(a: string, b: string): [Piece[], Piece[]] {
  if (a === b) return [[{ text: a, differs: false }], [{ text: b, differs: false }]]
  const [left, right] = [pieces(a), pieces(b)]
  const [inLeft, inRight] =
    (left.length + 1) * (right.length + 1) <= MOST_CELLS
      ? common(left, right)
      : [left.map((word) => right.includes(word)), right.map((word) => left.includes(word))]
  return [joined(left, inLeft), joined(right, inRight)]
}

/** For each word of each list, whether it is in a longest common subsequence. */
function common(a: string[], b: string[]): [boolean[], boolean[]] {
  const width = b.length + 1
  const best = new Uint16Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const at = i * width + j
      best[at] =
        a[i] === b[j] ? best[at + width + 1] + 1 : Math.max(best[at + width], best[at + 1])
    }
  }
  const inA = new Array<boolean>(a.length).fill(false)
  const inB = new Array<boolean>(b.length).fill(false)
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      inA[i++] = inB[j++] = true
    } else if (best[(i + 1) * width + j] >= best[i * width + j + 1]) {
      i++
    } else {
      j++
    }
  }
  return [inA, inB]
}

/** Neighbours of the same kind become one piece; white space alone never differs. */
function joined(words: string[], same: boolean[]): Piece[] {
  const out: Piece[] = []
  words.forEach((text, i) => {
    const differs = !same[i] && text.trim() !== ''
    const last = out[out.length - 1]
    if (last && last.differs === differs) last.text += text
    else out.push({ text, differs })
  })
  return out
}
