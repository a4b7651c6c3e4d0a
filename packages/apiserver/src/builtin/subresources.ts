// The parts of built-in kinds that are written on their own, beside status.

import { deepClone, type KubeObject } from '@homeostat/meta'
import type { ScalePaths, Subresources } from '../registry/resource-type.ts'
import type { SubresourceRow } from './facts/facts-files.ts'
import { type Fields, fieldsOf, isFields, listOf } from './fields-of.ts'
import { takeFinalizers } from './namespace.ts'

type Prepare = (object: KubeObject, old: KubeObject) => void

const SCALE: ScalePaths = {
  specReplicas: '.spec.replicas',
  statusReplicas: '.status.replicas',
  labelSelector: '.spec.selector',
}

/** By `group/resource/subresource`. */
const PARTS: Readonly<Record<string, Prepare>> = {
  'certificates.k8s.io/certificatesigningrequests/approval': takeConditions,
  'core/namespaces/finalize': takeFinalizers,
  'core/pods/ephemeralcontainers': takeEphemeralContainers,
  'core/pods/resize': takeResources,
}

export function builtinSubresources(key: string, rows: Readonly<Record<string, SubresourceRow>> = {}): Subresources {
  const others = Object.entries(rows)
    .filter(([name]) => name !== 'status' && name !== 'scale')
    .map(([name, { verbs, answers }]) => {
      const prepare = PARTS[`${key}/${name}`]
      return [name, { verbs, ...(answers && { answers }), ...(prepare && { prepare }) }]
    })
  return {
    status: rows.status !== undefined,
    ...(rows.scale && { scale: SCALE }),
    ...(others.length > 0 && { others: Object.fromEntries(others) }),
  }
}

/** Makes the object the old one but for what `parts` says. The resourceVersion stays: it is what the caller read. */
function takeAllBut(object: KubeObject, old: KubeObject, parts: Fields): void {
  const { resourceVersion } = object.metadata
  for (const key of Object.keys(object)) if (!(key in old)) delete object[key]
  Object.assign(object, deepClone(old), parts)
  if (resourceVersion !== undefined) object.metadata.resourceVersion = resourceVersion
}

function takeConditions(object: KubeObject, old: KubeObject): void {
  const { conditions } = fieldsOf(object.status)
  const { conditions: _, ...status } = fieldsOf(old.status)
  takeAllBut(object, old, { status: conditions === undefined ? status : { ...status, conditions } })
}

function takeEphemeralContainers(object: KubeObject, old: KubeObject): void {
  const { ephemeralContainers } = fieldsOf(object.spec)
  const { ephemeralContainers: _, ...spec } = fieldsOf(old.spec)
  takeAllBut(object, old, { spec: ephemeralContainers === undefined ? spec : { ...spec, ephemeralContainers } })
}

/** Requests and limits of containers that exist, and how they are resized. */
function takeResources(object: KubeObject, old: KubeObject): void {
  const next = fieldsOf(object.spec)
  const spec: Fields = { ...fieldsOf(old.spec) }
  for (const list of ['containers', 'initContainers']) {
    if (!Array.isArray(spec[list])) continue
    const wanted = new Map(listOf(next[list]).map((container) => [fieldsOf(container).name, fieldsOf(container)]))
    spec[list] = listOf(spec[list]).map((container) => resized(fieldsOf(container), wanted))
  }
  takeAllBut(object, old, { spec })
}

function resized(container: Fields, wanted: ReadonlyMap<unknown, Fields>): Fields {
  const next = wanted.get(container.name)
  if (!isFields(next)) return container
  const { resources = {}, resizePolicy } = next
  return { ...container, resources, ...(resizePolicy !== undefined && { resizePolicy }) }
}
