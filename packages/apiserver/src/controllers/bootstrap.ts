// What is there from the start: the system namespaces, and the objects that clients of a cluster count on. Called
// once, before the server listens. A start that finds everything as it should be writes nothing.

import { isStatusError, type KubeObject } from '@homeostat/meta'
import { SYSTEM_NAMESPACES } from '../builtin/namespace.ts'
import type { Api, ObjectName, ResourceName } from '../registry/api.ts'
import { type BootstrapObject, bootstrapObjects, RBAC_GROUP } from './bootstrap-objects.ts'
import type { ControllerLog } from './control-loop.ts'
import { roleUpkeep } from './role-upkeep.ts'

const NAMESPACES: ResourceName = { group: '', resource: 'namespaces' }
const CONFIG_MAPS: ResourceName = { group: '', resource: 'configmaps' }

export interface BootstrapOptions {
  readonly api: Api
  readonly log: ControllerLog
  /** PEM certificates of who signs client certificates. */
  readonly caBundle?: string | undefined
}

/**
 * Namespaces go first: others live in them. Whatever is written then shares the store's next transactions. Only a
 * namespace that cannot be made keeps the server from starting.
 */
export async function bootstrap({ api, log, caBundle }: BootstrapOptions): Promise<void> {
  await Promise.all(SYSTEM_NAMESPACES.map((name) => ensureNamespace(api, name)))
  const wanted = bootstrapObjects().filter(({ resource }) => api.serves(resource))
  if (caBundle !== undefined) wanted.push({ resource: CONFIG_MAPS, object: authenticationConfig(caBundle) })
  await Promise.all(
    wanted.map(async (one) => {
      const { kind, metadata } = one.object
      try {
        await ensure(api, one)
      } catch (error) {
        log.error({ err: error, kind, name: metadata.name }, 'an object that every server has could not be made')
      }
    }),
  )
}

/** It is not read: one that is there but damaged must not keep the server from starting. */
async function ensureNamespace(api: Api, name: string): Promise<void> {
  if (api.object(NAMESPACES, { name })) return
  await createUnlessThere(api, NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
}

async function ensure(api: Api, { resource, object }: BootstrapObject): Promise<void> {
  const place = object.metadata as ObjectName
  if (!api.object(resource, place)) {
    await createUnlessThere(api, resource, object)
    return
  }
  if (resource.group !== RBAC_GROUP) return
  const found = api.get(resource, place)
  const next = found && roleUpkeep(found, object)
  if (next === undefined) return
  if (next !== 'replace') {
    await api.update(resource, next)
    return
  }
  await api.delete(resource, place)
  await createUnlessThere(api, resource, object)
}

async function createUnlessThere(api: Api, resource: ResourceName, object: KubeObject): Promise<void> {
  try {
    await api.create(resource, object)
  } catch (error) {
    if (!isStatusError(error, 'AlreadyExists')) throw error
  }
}

/** How servers that stand behind this one know its clients. */
function authenticationConfig(caBundle: string): KubeObject {
  const metadata = { name: 'extension-apiserver-authentication', namespace: 'kube-system' }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'client-ca-file': caBundle } }
}
