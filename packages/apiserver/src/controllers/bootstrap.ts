// What is there from the start: the system namespaces, and the objects that clients of a cluster count on. Called
// once, before the server listens. A start that finds everything as it should be writes nothing.

import { type Log, messageOf } from '@homeostat/base'
import { isStatusError, type KubeObject } from '@homeostat/meta'
import { SYSTEM_NAMESPACES } from '../builtin/namespace.ts'
import type { Api, ResourceName } from '../registry/api.ts'
import { type BootstrapObject, bootstrapObjects, RBAC_GROUP } from './bootstrap-objects.ts'
import { ACCOUNT, ACCOUNTS, CERTIFICATES, CONFIG_MAPS, certificates, defaultAccount } from './namespace-defaults.ts'
import { planRoleRepair } from './role-repair-plan.ts'

const NAMESPACES: ResourceName = { group: '', resource: 'namespaces' }

export interface BootstrapOptions {
  readonly api: Api
  readonly log: Log
  /** PEM certificates of who signs client certificates. */
  readonly caBundle?: string | undefined
  /** Leaves the roles to `repairRoles`. */
  readonly rolesLater?: boolean | undefined
}

/**
 * Namespaces go first: others live in them. Whatever is written then shares the store's next transactions. Nothing is
 * read but where objects are: one that is damaged must not keep the server from starting, and only a namespace that
 * cannot be made does.
 */
export async function bootstrap({ api, log, caBundle, rolesLater }: BootstrapOptions): Promise<void> {
  await Promise.all(SYSTEM_NAMESPACES.map((name) => ensureNamespace(api, name)))
  const wanted = bootstrapObjects().filter(({ resource }) => !rolesLater || resource.group !== RBAC_GROUP)
  if (caBundle !== undefined) wanted.push(authenticationConfig(caBundle))
  for (const namespace of SYSTEM_NAMESPACES) wanted.push(...namespaceDefaults(namespace, caBundle))
  const missing = wanted.filter(({ resource, place }) => api.serves(resource) && !api.object(resource, place))
  await forEach(missing, log, ({ resource, object }) => createUnlessThere(api, resource, object()))
}

/** Puts roles right that lack something, or are not there. Nobody has to wait for it. */
export async function repairRoles(api: Api, log: Log): Promise<void> {
  const roles = bootstrapObjects().filter(({ resource }) => resource.group === RBAC_GROUP && api.serves(resource))
  await forEach(roles, log, async ({ resource, place, object }) => {
    const found = api.get(resource, place)
    if (found === undefined) return createUnlessThere(api, resource, object())
    const next = planRoleRepair(found, object())
    if (next === undefined) return
    if (next !== 'replace') {
      await api.update(resource, next)
      return
    }
    await api.delete(resource, place)
    await createUnlessThere(api, resource, object())
  })
}

/** From the start in the system's own namespaces; in all others a controller sees to it. */
function namespaceDefaults(namespace: string, caBundle: string | undefined): BootstrapObject[] {
  const account = {
    resource: ACCOUNTS,
    place: { namespace, name: ACCOUNT },
    object: () => defaultAccount(namespace),
  }
  if (caBundle === undefined) return [account]
  const place = { namespace, name: CERTIFICATES }
  return [account, { resource: CONFIG_MAPS, place, object: () => certificates(namespace, caBundle) }]
}

async function forEach(
  objects: readonly BootstrapObject[],
  log: Log,
  work: (object: BootstrapObject) => Promise<void>,
): Promise<void> {
  const failures = new Map<string, { readonly err: unknown; readonly objects: string[] }>()
  await Promise.all(
    objects.map((one) =>
      work(one).catch((err: unknown) => {
        const cause = messageOf(err)
        const failure = failures.get(cause) ?? { err, objects: [] }
        const { namespace, name } = one.place
        failure.objects.push(`${one.resource.resource} ${namespace === undefined ? name : `${namespace}/${name}`}`)
        failures.set(cause, failure)
      }),
    ),
  )
  // One cause, such as a full disk, fails them all: it is told once.
  for (const failure of failures.values()) log.error(failure, 'objects that every server has are not as they should be')
}

async function ensureNamespace(api: Api, name: string): Promise<void> {
  if (api.object(NAMESPACES, { name })) return
  await createUnlessThere(api, NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
}

async function createUnlessThere(api: Api, resource: ResourceName, object: KubeObject): Promise<void> {
  try {
    await api.create(resource, object)
  } catch (error) {
    if (!isStatusError(error, 'AlreadyExists')) throw error
  }
}

/** How servers that stand behind this one know its clients. */
function authenticationConfig(caBundle: string): BootstrapObject {
  const place = { name: 'extension-apiserver-authentication', namespace: 'kube-system' }
  const data = { 'client-ca-file': caBundle }
  return {
    resource: CONFIG_MAPS,
    place,
    object: () => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...place }, data }),
  }
}
