// Whose logs an object has: its own, or those of the Pods and Processes below it. Pure.

import { type Kind, type ObjectName, objectPath } from '../../../kinds/kind.ts'
import { descendants } from '../../../live/descendants.ts'
import type { LiveObject } from '../../../live/object.ts'
import type { GraphNode } from '../../../live/owner-graph.ts'

export interface LogSource {
  readonly label: string
  /** Without the query. */
  readonly path: string
  readonly container?: string
  /** A Pod of which the page knows the name alone: its containers have to be asked for. */
  readonly pod?: ObjectName
}

const MOST = 200

/** Whether an object of the kind may have a log of its own. */
export function hasLog({ group, resource }: Kind): boolean {
  return (group === '' && resource === 'pods') || (group === 'colonies.io' && resource === 'processes')
}

export function logSources(kind: Kind, object: LiveObject, nodes: ReadonlyMap<string, GraphNode>): LogSource[] {
  const { uid, namespace, name } = object.metadata
  if (hasLog(kind)) return sourcesOf(kind, namespace, name, containersOf(object))
  const below = descendants(uid, nodes.values()).filter((node) => hasLog(node.kind))
  return below
    .slice(0, MOST)
    .flatMap(({ kind, namespace, name }) =>
      sourcesOf(kind, namespace, name, []).map((source) =>
        kind.resource === 'pods' ? { ...source, pod: { namespace, name } } : source,
      ),
    )
}

function sourcesOf(
  kind: Kind,
  namespace: string | undefined,
  name: string,
  containers: readonly string[],
): LogSource[] {
  const path = `${objectPath(kind, { namespace, name })}/log`
  if (containers.length <= 1) return [{ label: `${kind.kind} ${name}`, path }]
  return containers.map((container) => ({ label: `${name}: ${container}`, path, container }))
}

/** Those that run until the Pod ends before those that begin it. */
export function containersOf({ spec }: Pick<LiveObject, 'spec'>): string[] {
  const { containers, initContainers } = (spec ?? {}) as Record<string, unknown>
  return [containers, initContainers].flatMap((list) =>
    Array.isArray(list) ? list.flatMap((one) => (typeof one?.name === 'string' ? [one.name as string] : [])) : [],
  )
}
