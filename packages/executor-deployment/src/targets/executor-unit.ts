// One executor of an ExecutorDeployment as the unit that a runtime starts. Pure.

import { createHash } from 'node:crypto'
import { writeJson } from '@homeostat/meta'
import type { Unit } from '@homeostat/runtimes'
import type { DeploymentSpec } from '../spec/deployment-spec.ts'
import { type Owner, unitLabels, unitName } from './unit-identity.ts'

export interface UnitSettings {
  /** What runs a local executor: `homeostat executor run` as a command line. Its arguments are added. */
  readonly executorCommand: readonly string[]
  /** Where executors find the server. */
  readonly server: string | undefined
  /** Variables of every local executor. */
  readonly localEnv: Readonly<Record<string, string>>
}

export function executorUnit(owner: Owner, spec: DeploymentSpec, index: number, settings: UnitSettings): Unit {
  const name = unitName(owner, index)
  const isLocal = spec.runtime === 'local'
  const command = spec.command ?? (isLocal ? localCommand(owner, spec, name, settings) : undefined)
  return {
    name,
    labels: unitLabels(owner, index, templateHash(spec)),
    env: { ...(isLocal && settings.localEnv), ...colonyEnv(owner, spec, name, settings.server), ...spec.env },
    mounts: spec.volumes,
    ...(spec.image !== undefined && { image: spec.image }),
    ...(command && { command }),
    ...(spec.pullPolicy && { pullPolicy: spec.pullPolicy }),
    ...(spec.hostNetwork && { hostNetwork: true }),
  }
}

/** Changes with whatever makes an executor another one; not with how many there are. */
export function templateHash(spec: DeploymentSpec): string {
  const { runtime, executorType, image, env, volumes, command, pullPolicy, hostNetwork, placement } = spec
  const sorted = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1))
  const parts = [runtime, executorType, image, sorted, volumes, command, pullPolicy, hostNetwork, placement]
  return createHash('sha256').update(writeJson(parts)).digest('hex').slice(0, 16)
}

/** What executors of any language find their colony by. */
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

function localCommand(owner: Owner, spec: DeploymentSpec, name: string, settings: UnitSettings): string[] {
  const where = settings.server === undefined ? [] : ['--server', settings.server]
  const who = ['--type', spec.executorType, '--name', name, '-n', owner.namespace]
  return [...settings.executorCommand, ...who, ...where]
}
