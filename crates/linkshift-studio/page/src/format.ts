// Numbers as people read them.

export function count(n: number): string {
  return n.toLocaleString('en-US')
}

export function plural(n: number, one: string, many = one + 's'): string {
  return `${count(n)} ${n === 1 ? one : many}`
}

export function percent(value: number): string {
  const of = value * 100
  return of > 99 && of < 100 ? `${(Math.floor(of * 10) / 10).toFixed(1)} %` : `${Math.round(of)} %`
}

export function seconds(left: number): string {
  if (left < 1) return 'less than a second'
  if (left < 90) return `${Math.ceil(left)} s`
  if (left < 5400) return `${Math.round(left / 60)} min`
  return `${(left / 3600).toFixed(1)} h`
}
