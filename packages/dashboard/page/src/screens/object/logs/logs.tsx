// The logs of an object's Pods or Processes: which of them, and what it wrote.

import type { Kind } from '../../../kinds/kind.ts'
import type { LiveObject } from '../../../live/object.ts'
import { useOwnerGraph } from '../../../live/owner-graph.ts'
import { Empty } from '../../../parts/empty.tsx'
import { useObjectSearch } from '../use-object-search.ts'
import { logSources } from './log-sources.ts'
import { LogView } from './log-view.tsx'

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
      <LogView key={source.label} source={source} />
    </div>
  )
}
