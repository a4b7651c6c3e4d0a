// Creates and updates objects of built-in kinds as the registry does, without a server.

import type { KubeObject } from '@homeostat/meta'
import { validateObjectMeta, validateObjectMetaUpdate } from '@homeostat/meta/server'
import type { ResourceType } from '../../registry/resource-type.ts'
import { builtinTypes } from '../builtin-types.ts'

export type Body = Record<string, unknown>

const types = new Map(builtinTypes().map((type) => [`${type.group}/${type.version}/${type.kind}`, type]))

export function typeOf({ apiVersion, kind }: Body): ResourceType {
  const version = String(apiVersion)
  const type = types.get(`${version.includes('/') ? version : `/${version}`}/${kind}`)
  if (!type) throw new Error(`no kind ${apiVersion} ${kind}`)
  return type
}

/** The body with changes: each path such as `spec.ports.0.name` gets its value; undefined removes the field. */
export function changed(body: Body, changes: Readonly<Record<string, unknown>>): Body {
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

/** The object that a create stores, or the causes of its refusal. */
export function creating(body: Body): { causes: string[]; object: KubeObject } {
  const type = typeOf(body)
  const object = structuredClone(body) as unknown as KubeObject
  object.metadata = { name: 'x', ...object.metadata, uid: 'the-uid', creationTimestamp: '2030-01-01T00:00:00Z' }
  if (type.namespaced) object.metadata.namespace = 'default'
  const { strategy } = type
  strategy.prune(object)
  strategy.prepareForCreate(object)
  strategy.applyDefaults(object)
  const nameErrors = (name: string, prefix: boolean) => strategy.nameErrors(name, prefix)
  const causes = [
    ...validateObjectMeta(object.metadata, { namespaced: type.namespaced, nameErrors }),
    ...strategy.validate(object),
  ]
  return { causes: causes.map(({ reason, field }) => `${reason.replace('FieldValue', '')} ${field}`).sort(), object }
}

/** The object after an update of a stored object, or the causes of its refusal. */
export function updating(
  body: Body,
  changes: Readonly<Record<string, unknown>>,
): { causes: string[]; object: KubeObject } {
  const old = creating(body).object
  const object = changed(old as unknown as Body, changes) as unknown as KubeObject
  const { strategy } = typeOf(body)
  strategy.prune(object)
  strategy.prepareForUpdate(object, old)
  strategy.applyDefaults(object)
  const causes = [...validateObjectMetaUpdate(object.metadata, old.metadata), ...strategy.validateUpdate(object, old)]
  return { causes: causes.map(({ reason, field }) => `${reason.replace('FieldValue', '')} ${field}`).sort(), object }
}
