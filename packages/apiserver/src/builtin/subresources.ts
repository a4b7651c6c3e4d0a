// The subresources of built-in kinds beside status and scale.

import { deepClone, deepEqual, isObject, type KubeObject } from '@homeostat/meta'
import { type Cause, forbiddenField } from '@homeostat/meta/server'
import type { ScalePaths, Subresource, Subresources } from '../registry/resource-type.ts'
import type { SubresourceRow } from './facts/facts-files.ts'
import { type Fields, fieldsOf, listOf, textOf } from './fields-of.ts'
import { changeOnlyFinalizers } from './namespace.ts'

type Part = Pick<Subresource, 'prepare' | 'validateUpdate'>

const SCALE: ScalePaths = {
  specReplicas: '.spec.replicas',
  statusReplicas: '.status.replicas',
  labelSelector: '.spec.selector',
}

/** By `group/resource/subresource`. */
const PARTS: Readonly<Record<string, Part>> = {
  'certificates.k8s.io/certificatesigningrequests/approval': { prepare: changeOnlyConditions },
  'core/namespaces/finalize': { prepare: changeOnlyFinalizers },
  'core/pods/ephemeralcontainers': { prepare: changeOnlyEphemeralContainers, validateUpdate: ephemeralErrors },
  // A resize changes only resources, which no other update may change.
  'core/pods/resize': { prepare: changeOnlyResources, validateUpdate: () => [] },
}

export function builtinSubresources(key: string, rows: Readonly<Record<string, SubresourceRow>> = {}): Subresources {
  const others = Object.entries(rows)
    .filter(([name]) => name !== 'status' && name !== 'scale')
    .map(([name, { verbs, answers }]) => {
      return [name, { verbs, ...(answers && { answers }), ...PARTS[`${key}/${name}`] }]
    })
  return {
    status: rows.status !== undefined,
    ...(rows.scale && { scale: SCALE }),
    ...(others.length > 0 && { others: Object.fromEntries(others) }),
  }
}

/** The old object with the `parts` of the new one. Keeps the resourceVersion: it is the caller's precondition. */
function restoreAllBut(object: KubeObject, old: KubeObject, parts: Fields): void {
  const { resourceVersion } = object.metadata
  for (const key of Object.keys(object)) if (!(key in old)) delete object[key]
  Object.assign(object, deepClone(old), parts)
  if (resourceVersion !== undefined) object.metadata.resourceVersion = resourceVersion
}

/** An approver may also write metadata. */
function changeOnlyConditions(object: KubeObject, old: KubeObject): void {
  const { metadata } = object
  const { conditions } = fieldsOf(object.status)
  const { conditions: _, ...status } = fieldsOf(old.status)
  restoreAllBut(object, old, { metadata, status: conditions === undefined ? status : { ...status, conditions } })
}

function changeOnlyEphemeralContainers(object: KubeObject, old: KubeObject): void {
  const { ephemeralContainers } = fieldsOf(object.spec)
  const { ephemeralContainers: _, ...spec } = fieldsOf(old.spec)
  restoreAllBut(object, old, { spec: ephemeralContainers === undefined ? spec : { ...spec, ephemeralContainers } })
}

/** Ephemeral containers can be added and never changed. */
function ephemeralErrors(object: KubeObject, old: KubeObject): Cause[] {
  const path = 'spec.ephemeralContainers'
  const next = new Map(listOf(fieldsOf(object.spec).ephemeralContainers).map((one) => [fieldsOf(one).name, one]))
  return listOf(fieldsOf(old.spec).ephemeralContainers).flatMap((container) => {
    const { name } = fieldsOf(container)
    if (!next.has(name))
      return [forbiddenField(path, `existing ephemeral containers "${textOf(name)}" may not be removed`)]
    if (deepEqual(next.get(name), container)) return []
    return [forbiddenField(path, `existing ephemeral containers "${textOf(name)}" may not be changed`)]
  })
}

/** Requests, limits and resize policies of existing containers. */
function changeOnlyResources(object: KubeObject, old: KubeObject): void {
  const next = fieldsOf(object.spec)
  const spec: Fields = { ...fieldsOf(old.spec) }
  for (const list of ['containers', 'initContainers']) {
    if (!Array.isArray(spec[list])) continue
    const wanted = new Map(listOf(next[list]).map((container) => [fieldsOf(container).name, fieldsOf(container)]))
    spec[list] = listOf(spec[list]).map((container) => resized(fieldsOf(container), wanted))
  }
  restoreAllBut(object, old, { spec })
}

function resized(container: Fields, wanted: ReadonlyMap<unknown, Fields>): Fields {
  const next = wanted.get(container.name)
  if (!isObject(next)) return container
  const { resources = {}, resizePolicy } = next
  return { ...container, resources, ...(resizePolicy !== undefined && { resizePolicy }) }
}
