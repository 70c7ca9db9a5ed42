// The colour and shape of a cluster, as its points have them on the map.

import { css, look, lookIndex } from '../palette'
import { activeCluster, clustersById, dark, tab } from '../store'

const SHAPES = [
  <circle cx="6" cy="6" r="5" />,
  <rect x="1.5" y="1.5" width="9" height="9" />,
  <path d="M6 1 11.500 10.500H.500Z" />,
  <path d="M6 .300 11.700 6 6 11.700.300 6Z" />,
  <path d="M6 11 .500 1.500h11Z" />,
]

export function Swatch({ cluster }: { cluster: number }) {
  const { color, shape } = look(lookIndex(cluster), dark.value)
  return (
    <svg class="swatch" width="12" height="12" viewBox="0 0 12 12" fill={css(color)} aria-hidden="true">
      {SHAPES[shape]}
    </svg>
  )
}

/** The name of a cluster; a click looks at it. */
export function ClusterChip({ cluster }: { cluster: number }) {
  const found = clustersById.value.get(cluster)
  if (!found) return <span class="chip quiet">in no cluster</span>
  const show = () => {
    activeCluster.value = cluster
    tab.value = 'clusters'
  }
  return (
    <button type="button" class="chip" onClick={show} title="Look at this cluster">
      <Swatch cluster={cluster} />
      <bdi>{found.name}</bdi>
    </button>
  )
}
