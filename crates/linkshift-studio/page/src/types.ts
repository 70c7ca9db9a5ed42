// What the server says, as `docs/studio.md` tells it.

export interface Share {
  value: number
  low: number
  high: number
}

export interface Cluster {
  id: number
  name: string
  named: boolean
  size: number
  typical: number[]
  doubtful: number[]
  center: [number, number] | null
  share: Share | null
  n_broken: number
  n_suspects: number
}

export type PairAnswer = 'same' | 'different' | 'unsure'

export interface Entry {
  id: number
  kind: string
  rows: number[]
  /** A word; the group chosen (null: none of them); or the rows that do not belong. */
  answer: string | number | number[] | null
  certain: boolean
  comment: string
  look_again: boolean
  text: string
  n_links: number
  /** What else could have been answered. */
  choices: { text: string; answer: Entry['answer'] }[]
}

export interface BadLink {
  a: number
  b: number
  kind: 'must' | 'cannot'
  reason: string
  /** What the two rows are called. */
  names: [string, string]
  likely?: string | null
}

export interface Job {
  kind: string
  text: string
  progress: number | null
  seconds_left: number | null
  can_cancel: boolean
}

export interface State {
  schema: number
  version: string
  name: string
  n_rows: number
  n_features: number
  shown: string[]
  has_text: boolean
  has_images: boolean
  revision: number
  positions: { kind: string; revision: number; explained: number | null }
  labels: { revision: number; source: 'none' | 'answers' | 'fit'; method: string }
  clusters: Cluster[]
  answers: { n: number; same: number; different: number; placed: number; groups: number; unsure: number; corrections: number }
  history: Entry[]
  can_undo: boolean
  can_redo: boolean
  undo_text: string | null
  redo_text: string | null
  links: { n_must: number; n_cannot: number; n_broken: number; n_suspects: number; broken: BadLink[]; suspects: BadLink[] }
  share: Share | null
  job: Job | null
  outlook: { settled: boolean; text: string } | null
  notes: string[]
  saved_to: string | null
  read_only_links: string | null
}

export interface PairQuestion {
  kind: 'pair'
  a: number
  b: number
  guess: string | null
  chance: number | null
  again: boolean
  text: string
}

export interface PlaceQuestion {
  kind: 'place'
  row: number
  groups: { cluster: number; name: string; rows: number[] }[]
  text: string
}

export interface GroupQuestion {
  kind: 'group'
  cluster: number
  name: string
  rows: number[]
  text: string
}

/** Nothing is left to ask, or it is not known yet. */
export interface NoQuestion {
  kind: 'none' | 'wait'
  text: string
}

export type Question = PairQuestion | PlaceQuestion | GroupQuestion | NoQuestion

export interface Reply {
  state: State
  question: Question
  labels_revision: number
}

export interface Row {
  row: number
  id: string
  fields: [string, string][]
  text: string | null
  image: boolean
  cluster: number
  chance: number | null
}

/** One link: two rows, 0 cannot or 1 must, and 0 kept, 1 broken or 2 suspect. */
export type Link = [number, number, number, number]
