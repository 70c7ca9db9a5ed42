// Small pictures for buttons; each button says in words what it does.

const PATHS = {
  hand: 'M7 11V5.5a1.5 1.5 0 0 1 3 0V10m0-5.5a1.5 1.5 0 0 1 3 0V10m0-4a1.5 1.5 0 0 1 3 0v7.5a6.5 6.5 0 0 1-6.5 6.5c-2.3 0-4-1-5.2-2.9L3.6 13a1.4 1.4 0 0 1 2.3-1.6L7 13',
  lasso: 'M12 4c5 0 8 2.2 8 5s-3 5.2-8 5.2S4 12 4 9.200 7 4 12 4ZM7 14c-1.600 1-1.600 3.200.4 3.200 1.800 0 1.800 2.800-.4 3.300',
  rectangle: 'M5 6h14v12H5z',
  whole: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  aim: 'M12 3v4M12 17v4M3 12h4M17 12h4M12 8.500a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7',
  view: 'M4 8V5h3M17 5h3v3M20 16v3h-3M7 19H4v-3M9 10h6v4H9z',
  links: 'M8 16 16 8M6.500 15a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5M17.500 4a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5',
  names: 'M5 18 9.500 6 14 18M6.600 14h5.800M16 18V9m0 6a2.500 2.500 0 1 1 0 .1',
  undo: 'M8 5 4 9l4 4M4 9h10a5.500 5.500 0 0 1 0 11H9',
  redo: 'm16 5 4 4-4 4M20 9H10a5.500 5.500 0 0 0 0 11h5',
  flag: 'M6 21V4h11l-2.500 4.500L17 13H6',
  close: 'M6 6l12 12M18 6 6 18',
  pencil: 'M4 20l1-4L16 5l3 3L8 19l-4 1Z',
  search: 'M10.500 4a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13M15.500 15.500 20 20',
  sun: 'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8M12 2.500v2M12 19.500v2M2.500 12h2M19.500 12h2M5.300 5.300l1.400 1.400M17.300 17.300l1.400 1.400M18.700 5.300l-1.400 1.400M6.700 17.300l-1.400 1.400',
  moon: 'M19 14.500A7.500 7.500 0 0 1 9.500 5a7.500 7.500 0 1 0 9.500 9.500Z',
  auto: 'M12 4a8 8 0 1 0 0 16Zm0 0a8 8 0 0 1 0 16',
  down: 'm6 9 6 6 6-6',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
