// Builds the unit of one executor for a runtime. Pure.

import { createHash } from 'node:crypto'
import { writeJson } from '@homeostat/meta'
import type { RegistryLogin, Unit } from '@homeostat/runtimes'
import type { UnitAccess } from '../identity/unit-identities.ts'
import type { DeploymentSpec } from '../spec/deployment-spec.ts'
import { type Owner, unitLabels, unitName } from './unit-identity.ts'

export interface UnitSettings {
  /** The command line of a local executor, `homeostat executor run`; its arguments are appended. */
  readonly executorCommand: readonly string[]
  /** The URL of the server for the executors. */
  readonly server: string | undefined
  /** Environment variables of every local executor. */
  readonly localEnv: Readonly<Record<string, string>>
}

/** `access` is the identity of the executor, for a server that asks for one. */
export function executorUnit(
  owner: Owner,
  spec: DeploymentSpec,
  index: number,
  settings: UnitSettings,
  access?: UnitAccess,
  login?: RegistryLogin,
): Unit {
  const name = unitName(owner, index)
  const isLocal = spec.runtime === 'local'
  const command = spec.command ?? (isLocal ? localCommand(owner, spec, name, settings, access) : undefined)
  return {
    name,
    labels: unitLabels(owner, index, templateHash(spec)),
    env: {
      ...(isLocal && settings.localEnv),
      ...colonyEnv(owner, spec, name, access?.server ?? settings.server),
      ...access?.env,
      ...spec.env,
    },
    mounts: access?.mount === undefined ? spec.volumes : [...spec.volumes, access.mount],
    ...(access?.mount && { reachesHost: true }),
    ...(spec.image !== undefined && { image: spec.image }),
    ...(command && { command }),
    ...(spec.pullPolicy && { pullPolicy: spec.pullPolicy }),
    ...(spec.hostNetwork && { hostNetwork: true }),
    ...(login && { registryLogin: login }),
    ...(spec.ports.length > 0 && { ports: spec.ports }),
    ...(spec.limits && { limits: spec.limits }),
  }
}

/** A hash of everything that requires a restart of an executor; the number of replicas is not a part of it. */
export function templateHash(spec: DeploymentSpec): string {
  const { runtime, executorType, image, env, volumes, command, pullPolicy, hostNetwork, placement, ports, limits } =
    spec
  const sorted = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1))
  const parts: unknown[] = [runtime, executorType, image, sorted, volumes, command, pullPolicy, hostNetwork, placement]
  // Only where they are given: executors of earlier versions keep their hash.
  if (ports.length > 0 || limits) parts.push(ports, limits)
  return createHash('sha256').update(writeJson(parts)).digest('hex').slice(0, 16)
}

/** The environment variables by which executors of any language find their colony. */
export function colonyEnv(
  owner: Owner,
  { executorType }: DeploymentSpec,
  name: string | undefined,
  server: string | undefined,
): Record<string, string> {
  const url = server === undefined ? undefined : new URL(server)
  return {
    COLONIES_COLONY_NAME: owner.namespace,
    COLONIES_EXECUTOR_TYPE: executorType,
    ...(name !== undefined && { COLONIES_EXECUTOR_NAME: name }),
    ...(url && {
      COLONIES_SERVER_HOST: url.hostname,
      COLONIES_SERVER_PORT: url.port || (url.protocol === 'https:' ? '443' : '80'),
      COLONIES_INSECURE: String(url.protocol === 'http:'),
    }),
  }
}

function localCommand(
  owner: Owner,
  spec: DeploymentSpec,
  name: string,
  settings: UnitSettings,
  access: UnitAccess | undefined,
): string[] {
  const plain = settings.server === undefined ? [] : ['--server', settings.server]
  const where = access?.kubeconfig === undefined ? plain : ['--kubeconfig', access.kubeconfig]
  const who = ['--type', spec.executorType, '--name', name, '-n', owner.namespace]
  return [...settings.executorCommand, ...who, ...where]
}
