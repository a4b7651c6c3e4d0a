// What the object owns, those that are not well first.

import { useMemo } from 'react'
import type { LiveObject } from '../../../live/object.ts'
import type { GraphNode, GraphState } from '../../../live/owner-graph.ts'
import type { Health } from '../../../parts/health.ts'
import { ObjectLink } from '../../../parts/object-link.tsx'
import { Panel } from '../../../parts/panel.tsx'

const SHOWN = 30
const ORDER: Record<Health, number> = { bad: 0, busy: 1, good: 2 }

export function Children({ object, graph }: { readonly object: LiveObject; readonly graph: GraphState }) {
  const { uid } = object.metadata
  const children = useMemo(() => childrenOf(uid, graph.nodes), [uid, graph.nodes])
  const unwell = children.filter(({ health }) => health === 'bad' || health === 'busy').length
  return (
    <Panel
      title={`Owns${children.length > 0 ? `: ${children.length}` : ''}`}
      flush={children.length > 0}
      actions={
        <>
          {graph.phase === 'loading' && children.length > 0 && <span className="quiet">looking for more …</span>}
          {unwell > 0 && <span className="bad">{unwell} not ready</span>}
        </>
      }
    >
      {children.length === 0 ? (
        <p className="quiet">{graph.phase === 'loading' ? 'Looking …' : 'Nothing.'}</p>
      ) : (
        <table>
          <tbody>
            {children.slice(0, SHOWN).map(({ uid, kind, namespace, name, health, word }) => (
              <tr key={uid}>
                <td className="quiet">{kind.kind}</td>
                <td>
                  <ObjectLink {...kind} namespace={namespace} name={name}>
                    {name}
                  </ObjectLink>
                </td>
                <td>{health !== undefined && <span className={`state ${health}`}>{word}</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {children.length > SHOWN && <p className="table-note">{children.length - SHOWN} more are in its tree.</p>}
      {graph.missing.map((one) => (
        <p key={one} className={children.length === 0 ? 'quiet' : 'table-note'}>
          {one}
        </p>
      ))}
    </Panel>
  )
}

const collator = new Intl.Collator('en', { numeric: true })

function childrenOf(uid: string, nodes: ReadonlyMap<string, GraphNode>): GraphNode[] {
  return [...nodes.values()]
    .filter(({ owners }) => owners.some((owner) => owner.uid === uid))
    .sort((a, b) => rank(a) - rank(b) || a.kind.kind.localeCompare(b.kind.kind) || collator.compare(a.name, b.name))
}

function rank({ health }: GraphNode): number {
  return health === undefined ? 3 : ORDER[health]
}
