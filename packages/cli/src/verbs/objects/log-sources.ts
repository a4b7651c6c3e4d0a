// Whose logs `homeostat logs` prints: which pods an argument means, and which of their containers.

import type { ApiObject } from '@homeostat/client'
import { findObject, listObjects } from '../../access/objects.ts'
import type { ServedKind } from '../../access/served-kinds.ts'
import type { Session } from '../../access/session.ts'
import { Fault } from '../../fault.ts'

export interface Pod extends ApiObject {
  readonly spec?: {
    readonly containers?: readonly { readonly name: string }[]
    readonly initContainers?: readonly { readonly name: string }[]
    readonly ephemeralContainers?: readonly { readonly name: string }[]
  }
  readonly status?: { readonly phase?: string }
}

const DEFAULT_CONTAINER = 'kubectl.kubernetes.io/default-container'

/** All pods of what owns or selects pods, the one to show first at the front. */
export async function podsOf(session: Session, pods: ServedKind, kind: ServedKind, name: string): Promise<Pod[]> {
  const { client, namespace } = session
  const object = await findObject<Pod>(client, kind, namespace, name)
  if (object === undefined) {
    const type = [kind.plural, kind.group].filter(Boolean).join('.')
    throw new Fault(`error from server (NotFound): ${type} "${name}" not found in namespace "${namespace}"`)
  }
  if (kind.group === '' && kind.kind === 'Pod') return [object]
  const labelSelector = selectorOf(object)
  if (labelSelector === '') throw new Fault(`cannot get the logs from ${kind.kind}: it selects no pods`)
  const found = await listObjects<Pod>(client, pods, { namespace, labelSelector })
  if (found.length === 0) throw new Fault(`${kind.singular}/${name} has no pods yet`)
  return found.toSorted((a, b) => rank(a) - rank(b))
}

/** Which containers are meant; `note` tells which one was taken if nothing was said. */
export function containersOf(
  pod: Pod,
  { container, all }: { readonly container: string | undefined; readonly all: boolean },
): { readonly containers: readonly string[]; readonly note?: string } {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = pod.spec ?? {}
  const names = [...initContainers, ...containers, ...ephemeralContainers].map(({ name }) => name)
  if (container !== undefined) {
    if (!names.includes(container)) throw new Fault(`container ${container} is not valid for pod ${pod.metadata.name}`)
    return { containers: [container] }
  }
  if (all) return { containers: names }
  const said = pod.metadata.annotations?.[DEFAULT_CONTAINER]
  if (said !== undefined && names.includes(said)) return { containers: [said] }
  const first = containers[0]?.name ?? ''
  if (names.length <= 1) return { containers: [first] }
  const others = [...containers, ...ephemeralContainers].map(({ name }) => name)
  const inits = initContainers.map(({ name }) => `${name} (init)`)
  return { containers: [first], note: `Defaulted container "${first}" out of: ${[...others, ...inits].join(', ')}` }
}

/** From `spec.selector`, which is a selector or, of older kinds, the labels themselves; empty when there is none. */
function selectorOf(object: ApiObject): string {
  const { selector } = (object as { spec?: { selector?: object } }).spec ?? {}
  if (typeof selector !== 'object' || selector === null) return ''
  const { matchLabels, matchExpressions = [] } = selector as {
    matchLabels?: Readonly<Record<string, string>>
    matchExpressions?: readonly { key: string; operator: string; values?: readonly string[] }[]
  }
  const labels = matchLabels ?? ('matchExpressions' in selector ? {} : (selector as Readonly<Record<string, string>>))
  const equal = Object.entries(labels).map(([key, value]) => `${key}=${value}`)
  return [...equal, ...matchExpressions.map(requirementText)].join(',')
}

function requirementText({
  key,
  operator,
  values = [],
}: {
  key: string
  operator: string
  values?: readonly string[]
}) {
  if (operator === 'Exists') return key
  if (operator === 'DoesNotExist') return `!${key}`
  return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values.join(',')})`
}

function rank({ status }: Pod): number {
  return status?.phase === 'Running' ? 0 : 1
}
