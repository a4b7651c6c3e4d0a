// Plans the children of a composite resource from its components, and decides whether they are ready. Pure.

import type { ApiObject } from '@homeostat/client'
import { findCondition, type KubeObject } from '@homeostat/meta'
import type { HandledKind } from './handled-kind.ts'
import type { ResourceStatus } from './outcome-status.ts'

export interface Verdict {
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

export interface ComponentsPlan {
  readonly children: readonly ApiObject[]
  /** The condition ComponentsResolved. While it is False nothing is pruned, since the wanted children are not all known. */
  readonly resolved: Verdict
}

interface Component {
  readonly kind?: unknown
  readonly apiVersion?: unknown
  readonly name?: unknown
  readonly spec?: unknown
}

/** `kinds` finds the kinds that have a handler, by name and group. */
export function planComponents(
  object: KubeObject,
  kinds: (kind: string, group: string | undefined) => readonly HandledKind[],
): ComponentsPlan {
  const { components = [] } = (object.spec ?? {}) as { components?: unknown }
  if (!Array.isArray(components))
    return { children: [], resolved: no('InvalidComponents', 'spec.components must be a list') }
  const names = new Map<string, number>()
  const children: ApiObject[] = []
  const problems: Verdict[] = []
  for (const [index, given] of components.entries()) {
    const component = (given ?? {}) as Component
    const found = resolveKind(object, component, index, kinds)
    if ('reason' in found) {
      problems.push(found)
      continue
    }
    const base = `${object.metadata.name}-${typeof component.name === 'string' ? component.name : found.kind.toLowerCase()}`
    const count = (names.get(base) ?? 0) + 1
    names.set(base, count)
    const name = count === 1 ? base : `${base}-${count}`
    const { apiVersion, kind } = found
    children.push({ apiVersion, kind, metadata: { name }, spec: component.spec ?? {} } as ApiObject)
  }
  const [first] = problems
  if (first === undefined) return { children, resolved: { status: 'True', reason: 'Resolved', message: '' } }
  return { children, resolved: no(first.reason, problems.map(({ message }) => message).join('; ')) }
}

function resolveKind(
  object: KubeObject,
  { kind: word, apiVersion }: Component,
  index: number,
  kinds: (kind: string, group: string | undefined) => readonly HandledKind[],
): HandledKind | Verdict {
  if (typeof word !== 'string') return no('InvalidComponents', `spec.components[${index}].kind must be a text`)
  const found = kinds(word, typeof apiVersion === 'string' ? apiVersion.split('/')[0] : undefined)
  const [kind, second] = found
  if (kind === undefined) return no('UnknownKind', `no definition with a handler has the kind ${word}`)
  if (second !== undefined) {
    const groups = found.map((one) => `${one.kind}.${one.resource.group}`).sort()
    return no('AmbiguousKind', `${word} may be ${groups.join(' or ')}: give its apiVersion`)
  }
  if (kind.namespaced !== (object.metadata.namespace !== undefined)) {
    return no(
      'WrongScope',
      `${kind.kind} ${kind.namespaced ? 'has a namespace' : 'has no namespace'}, unlike ${object.kind}`,
    )
  }
  return kind
}

/** The condition Ready of the composite, from its live children. */
export function componentsReady(children: readonly (ApiObject | undefined)[], resolved: Verdict): Verdict {
  const waiting = children.filter((child) => child !== undefined && !isReady(child))
  const names = waiting.map((child) => `${child?.kind}/${child?.metadata.name}`)
  if (names.length > 0) return no('ComponentsNotReady', `not ready: ${names.join(', ')}`)
  if (resolved.status === 'False') return no('ComponentsNotReady', resolved.message)
  return { status: 'True', reason: 'AllComponentsReady', message: '' }
}

/** Whether the child's own condition Ready is True for its newest generation. */
function isReady({ metadata, ...child }: ApiObject): boolean {
  const status = ((child as { status?: unknown }).status ?? {}) as ResourceStatus
  const ready = findCondition(status.conditions, 'Ready')
  return (
    ready?.status === 'True' &&
    metadata.deletionTimestamp === undefined &&
    (status.observedGeneration ?? 0) >= (metadata.generation ?? 0)
  )
}

function no(reason: string, message: string): Verdict {
  return { status: 'False', reason, message }
}
