// An object as people read and edit it: without what only machines write. Pure.

import type { ApiObject } from '@homeostat/client'

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

/** What people look for in metadata, which a server may have in any order. */
const FIRST = ['name', 'generateName', 'namespace', 'labels', 'annotations'] as const

/** Without managed fields, and without what the last apply of kubectl left. What people write comes first. */
export function neat<T extends ApiObject>(object: T): T {
  const { managedFields: _, annotations, ...others } = object.metadata
  const { [LAST_APPLIED]: __, ...kept } = annotations ?? {}
  const metadata = { ...others, ...(Object.keys(kept).length > 0 && { annotations: kept }) }
  const first = FIRST.flatMap((name) => (name in metadata ? [[name, metadata[name]]] : []))
  return { ...object, metadata: { ...Object.fromEntries(first), ...metadata } }
}

/** What the server and controllers write, besides; an editor shows what people write. */
const OF_SERVER = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
] as const

export function editable(object: ApiObject): Record<string, unknown> {
  const { apiVersion, kind, metadata, ...rest } = neat(object) as ApiObject & Record<string, unknown>
  const { status: _, ...desired } = rest
  const kept = Object.entries(metadata).filter(([name]) => !(OF_SERVER as readonly string[]).includes(name))
  return { apiVersion, kind, metadata: Object.fromEntries(kept), ...desired }
}

/** For whoever wants the same object elsewhere. */
export const HIDDEN = '•••••• (hidden)'

/** Values of a Secret stay on the server's side of the screen until somebody asks for them. */
export function withoutSecrets<T extends ApiObject>(object: T): T {
  if (!isSecret(object)) return object
  const hidden = (['data', 'stringData'] as const).flatMap((field) => {
    const values = (object as Record<string, unknown>)[field]
    if (typeof values !== 'object' || values === null) return []
    return [[field, Object.fromEntries(Object.keys(values).map((name) => [name, HIDDEN]))]]
  })
  const { [LAST_APPLIED]: applied, ...annotations } = object.metadata.annotations ?? {}
  const metadata = applied === undefined ? object.metadata : { ...object.metadata, annotations }
  return { ...object, ...Object.fromEntries(hidden), metadata }
}

export function isSecret({ apiVersion, kind }: ApiObject): boolean {
  return apiVersion === 'v1' && kind === 'Secret'
}
