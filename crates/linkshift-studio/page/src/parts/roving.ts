// Arrows, Home and End move among the buttons of a list, a menu or a row of tabs; the tab key
// passes it by in one step.

export function roving(event: KeyboardEvent) {
  const steps: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }
  const box = event.currentTarget as HTMLElement
  const step = steps[event.key]
  if (step === undefined && event.key !== 'Home' && event.key !== 'End') return
  if (event.target instanceof HTMLInputElement && event.target.type !== 'checkbox') return
  const all = [...box.querySelectorAll<HTMLElement>('[tabindex], button, a[href]')].filter(
    (element) => !element.hasAttribute('disabled'),
  )
  if (all.length === 0) return
  event.preventDefault()
  const now = all.indexOf(document.activeElement as HTMLElement)
  const next =
    event.key === 'Home' ? 0 : event.key === 'End' ? all.length - 1 : (now + step + all.length) % all.length
  all[next].focus()
}
