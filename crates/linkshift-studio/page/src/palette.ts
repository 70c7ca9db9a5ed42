// The project's colours, as `crates/linkshift-plot/src/palette.rs` has them (a test compares).
// A cluster's look depends on its number alone, so that it keeps it from one fit to the next.

export type Rgb = [number, number, number]

export const HUES: Rgb[] = [
  [0, 95, 201],
  [232, 123, 34],
  [123, 76, 154],
  [85, 230, 215],
  [126, 82, 42],
  [209, 119, 192],
  [19, 174, 144],
  [224, 204, 20],
  [44, 36, 132],
  [151, 149, 80],
  [169, 151, 254],
  [143, 19, 92],
]
const PAPER: Rgb = [255, 255, 255]
const INK: Rgb = [40, 40, 46]
export const NOISE: Rgb = [165, 165, 170]

/** Circle, square, triangle, diamond, wedge. */
export const N_SHAPES = 5
const ROUNDS: [Rgb, number][] = [
  [PAPER, 0],
  [INK, 0.35],
  [PAPER, 0.3],
  [INK, 0.2],
  [PAPER, 0.45],
]
export const N_LOOKS = HUES.length * ROUNDS.length
/** The look of points in no cluster. */
export const NO_LOOK = N_LOOKS

export interface Look {
  color: Rgb
  shape: number
}

function mixed(a: Rgb, b: Rgb, share: number): Rgb {
  const mix = (i: 0 | 1 | 2) => Math.round(a[i] * (1 - share) + b[i] * share)
  return [mix(0), mix(1), mix(2)]
}

export function lookIndex(cluster: number): number {
  return cluster < 0 ? NO_LOOK : cluster % N_LOOKS
}

/** Light enough to be seen on dark paper: dark hues are mixed with white, and keep their hue. */
function lifted(color: Rgb): Rgb {
  const light = (0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]) / 255
  return light < 0.4 ? mixed(color, PAPER, (0.4 - light) * 1.25) : color
}

export function look(index: number, dark: boolean): Look {
  if (index >= N_LOOKS) return { color: dark ? [110, 110, 118] : NOISE, shape: 0 }
  const round = Math.floor(index / HUES.length)
  const [toward, share] = ROUNDS[round]
  const color = mixed(HUES[index % HUES.length], toward, share)
  return { color: dark ? lifted(color) : color, shape: round }
}

export function css(color: Rgb): string {
  return `rgb(${color[0]} ${color[1]} ${color[2]})`
}
