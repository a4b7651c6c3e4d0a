// The logs of an object's Pods or Processes: which of them, and what it wrote.

import type { Kind } from '../../../kinds/kind.ts'
import type { LiveObject } from '../../../live/object.ts'
import { useOwnerGraph } from '../../../live/owner-graph.ts'
import { Empty } from '../../../parts/empty.tsx'
import { useObjectSearch } from '../use-object-search.ts'
import { type LogSource, logSources } from './log-sources.ts'
import { LogView } from './log-view.tsx'
import { useContainers } from './use-containers.ts'

export function Logs({ kind, object }: { readonly kind: Kind; readonly object: LiveObject }) {
  const graph = useOwnerGraph(object.metadata.namespace)
  const sources = logSources(kind, object, graph.nodes)
  const [{ of: chosen }, change] = useObjectSearch()
  const source = sources.find(({ label }) => label === chosen) ?? sources[0]
  if (source === undefined)
    return (
      <Empty title={graph.phase === 'loading' ? 'Looking for its Pods and Processes …' : 'It has no logs'}>
        <p>Pods and Processes write logs; it owns none. {graph.missing.join(' ')}</p>
      </Empty>
    )
  return (
    <div className="object-part">
      {sources.length > 1 && (
        <label className="toolbar">
          Of
          <select value={source.label} onChange={(event) => change({ of: event.target.value })}>
            {sources.map(({ label }) => (
              <option key={label}>{label}</option>
            ))}
          </select>
        </label>
      )}
      <ContainerLog key={source.label} source={source} />
    </div>
  )
}

function ContainerLog({ source }: { readonly source: LogSource }) {
  const [{ container: wanted }, change] = useObjectSearch()
  const containers = useContainers(source)
  if (containers === undefined) return <p role="status">Asking for its containers …</p>
  const chosen = wanted !== undefined && containers.includes(wanted) ? wanted : containers[0]
  if (chosen === undefined) return <LogView source={source} />
  return (
    <>
      {containers.length > 1 && (
        <label className="toolbar">
          Container
          <select value={chosen} onChange={(event) => change({ container: event.target.value })}>
            {containers.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      <LogView key={chosen} source={{ ...source, container: chosen }} />
    </>
  )
}
