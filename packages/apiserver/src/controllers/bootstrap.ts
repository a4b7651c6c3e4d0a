// Creates the system namespaces and the objects that clients of a cluster rely on. The server calls it once, before it
// listens. A start that finds everything up to date writes nothing.

import { type Log, messageOf } from '@homeostat/base'
import { isStatusError, type KubeObject } from '@homeostat/meta'
import { RBAC_GROUP } from '../authz/rbac/policy-rule.ts'
import { SYSTEM_NAMESPACES } from '../builtin/namespace.ts'
import type { Api, ResourceName } from '../registry/api.ts'
import { type BootstrapObject, bootstrapObjects } from './bootstrap-objects.ts'
import {
  ACCOUNT,
  ACCOUNTS,
  AUTHENTICATION,
  CERTIFICATES,
  CLIENT_CA,
  CONFIG_MAPS,
  certificates,
  defaultAccount,
} from './namespace-defaults.ts'
import type { ClusterRoleFact, Named } from './role-facts.ts'
import { planRoleRepair } from './role-repair-plan.ts'

const NAMESPACES: ResourceName = { group: '', resource: 'namespaces' }

export interface BootstrapOptions {
  readonly api: Api
  readonly log: Log
  /** PEM certificates of the authority that signs client certificates. */
  readonly caBundle?: string | undefined
  /** Leaves roles and bindings to `repairRoles`. */
  readonly rolesLater?: boolean | undefined
  /** Roles of the kinds that this server brings, beside those of Kubernetes. */
  readonly kindRoles?: Named<ClusterRoleFact> | undefined
}

/**
 * Creates namespaces first, because the other objects live in them; the rest shares the store's next transactions. It
 * looks only at which objects exist and reads none: a damaged object must not keep the server from starting. Only a
 * namespace that cannot be created does.
 */
export async function bootstrap({ api, log, caBundle, rolesLater, kindRoles }: BootstrapOptions): Promise<void> {
  await Promise.all(SYSTEM_NAMESPACES.map((name) => ensureNamespace(api, name)))
  const wanted = bootstrapObjects(kindRoles).filter(({ resource }) => !rolesLater || resource.group !== RBAC_GROUP)
  if (caBundle !== undefined) wanted.push(authenticationConfig(caBundle))
  for (const namespace of SYSTEM_NAMESPACES) wanted.push(...namespaceDefaults(namespace, caBundle))
  const missing = wanted.filter(({ resource, place }) => api.serves(resource) && !api.object(resource, place))
  await forEach(missing, log, ({ resource, object }) => createUnlessThere(api, resource, object()))
}

/** Creates missing roles and bindings and adds missing rules. It runs in the background: no request depends on it. */
export async function repairRoles(api: Api, log: Log, kindRoles?: Named<ClusterRoleFact>): Promise<void> {
  const all = bootstrapObjects(kindRoles)
  const roles = all.filter(({ resource }) => resource.group === RBAC_GROUP && api.serves(resource))
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

/** The defaults of the system namespaces, at start; a controller creates those of all other namespaces. */
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
  // One cause, such as a full disk, fails all of them: log it once.
  for (const failure of failures.values()) log.error(failure, 'bootstrap objects could not be written')
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

/** The ConfigMap from which aggregated API servers learn how to verify clients. */
function authenticationConfig(caBundle: string): BootstrapObject {
  const place = AUTHENTICATION
  const data = { [CLIENT_CA]: caBundle }
  return {
    resource: CONFIG_MAPS,
    place,
    object: () => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...place }, data }),
  }
}
