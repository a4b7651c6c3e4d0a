// Creates and updates objects of built-in kinds as the registry does, without a server.

import type { KubeObject } from '@homeostat/meta'
import { type Cause, validateObjectMeta, validateObjectMetaUpdate } from '@homeostat/meta/server'
import type { ResourceType } from '../../registry/resource-type.ts'
import { builtinTypes } from '../builtin-types.ts'

export type Body = Record<string, unknown>
/** Paths such as `spec.ports.0.name` with their new values; undefined removes the field. */
export type Changes = Readonly<Record<string, unknown>>

const types = new Map(builtinTypes().map((type) => [`${type.group}/${type.version}/${type.kind}`, type]))

export function typeOf({ apiVersion, kind }: Body): ResourceType {
  const version = String(apiVersion)
  const type = types.get(`${version.includes('/') ? version : `/${version}`}/${kind}`)
  if (!type) throw new Error(`no kind ${apiVersion} ${kind}`)
  return type
}

/** The body with the changes. */
export function changed(body: Body, changes: Changes): Body {
  const copy = structuredClone(body)
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split('.')
    const last = keys.pop() ?? ''
    let at = copy as Record<string, unknown>
    for (const key of keys) {
      at[key] ??= {}
      at = at[key] as Record<string, unknown>
    }
    if (value === undefined) delete at[last]
    else at[last] = value
  }
  return copy
}

interface Judged {
  readonly causes: string[]
  readonly object: KubeObject
}

/** The object that a create stores, or the causes of its refusal. */
export function creating(body: Body): Judged {
  return judgeNew(body, newObject(body))
}

/** The same for a kind that has expressions. */
export async function creatingAhead(body: Body): Promise<Judged> {
  const object = newObject(body)
  await typeOf(body).strategy.beforeValidation?.(object, undefined, false)
  return judgeNew(body, object)
}

/** The object after an update of a stored object, or the causes of its refusal. */
export function updating(body: Body, changes: Changes): Judged {
  const { object, old } = nextObject(body, changes)
  return judgeNext(body, object, old)
}

/** The same for a kind that has expressions. */
export async function updatingAhead(body: Body, changes: Changes): Promise<Judged> {
  const { object, old } = nextObject(body, changes)
  await typeOf(body).strategy.beforeValidation?.(object, old, false)
  return judgeNext(body, object, old)
}

function newObject(body: Body): KubeObject {
  const type = typeOf(body)
  const object = structuredClone(body) as unknown as KubeObject
  object.metadata = { name: 'x', ...object.metadata, uid: 'the-uid', creationTimestamp: '2030-01-01T00:00:00Z' }
  if (type.namespaced) object.metadata.namespace = 'default'
  const { strategy } = type
  strategy.prune(object)
  strategy.prepareForCreate(object)
  strategy.applyDefaults(object)
  return object
}

function judgeNew(body: Body, object: KubeObject): Judged {
  const { strategy, namespaced } = typeOf(body)
  const nameErrors = (name: string, prefix: boolean) => strategy.nameErrors(name, prefix)
  const causes = [...validateObjectMeta(object.metadata, { namespaced, nameErrors }), ...strategy.validate(object)]
  return { causes: shown(causes), object }
}

function nextObject(body: Body, changes: Changes): { object: KubeObject; old: KubeObject } {
  const old = newObject(body)
  const object = changed(old as unknown as Body, changes) as unknown as KubeObject
  const { strategy } = typeOf(body)
  strategy.prune(object)
  strategy.prepareForUpdate(object, old)
  strategy.applyDefaults(object)
  return { object, old }
}

function judgeNext(body: Body, object: KubeObject, old: KubeObject): Judged {
  const { strategy } = typeOf(body)
  const causes = [...validateObjectMetaUpdate(object.metadata, old.metadata), ...strategy.validateUpdate(object, old)]
  return { causes: shown(causes), object }
}

function shown(causes: readonly Cause[]): string[] {
  return causes.map(({ reason, field }) => `${reason.replace('FieldValue', '')} ${field}`).sort()
}
