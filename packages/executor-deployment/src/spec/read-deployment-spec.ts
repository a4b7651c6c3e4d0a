// Parses the spec of an ExecutorDeployment from any of the shapes its documents use: flat, with a template, or with
// everything at the top. Pure. Returns one normal form, or all errors.

import { isObject, writeJson } from '@homeostat/meta'
import type { PullPolicy } from '@homeostat/runtimes'
import { readLimits, readPorts, readPullSecrets } from './container-parts.ts'
import { type DeploymentSpec, RUNTIMES, type RuntimeName } from './deployment-spec.ts'
import { readEnv, readPlacement, readVolumes } from './spec-parts.ts'
import { Places, type Problem } from './spec-places.ts'

export type SpecReading =
  | { readonly spec: DeploymentSpec }
  | { readonly reason: 'UnsupportedRuntime' | 'InvalidSpec'; readonly problems: readonly Problem[] }

const MAX_REPLICAS = 1000
const TYPE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/
const PULL_POLICIES: readonly PullPolicy[] = ['Always', 'IfNotPresent', 'Never']
/** Fields for people; the controller ignores them. */
const DESCRIPTIVE = ['name', 'location', 'capabilities', 'executorName', 'description']

export function readDeploymentSpec(value: unknown): SpecReading {
  if (!isObject(value)) return invalid([{ field: 'spec', message: 'must be an object' }])
  const places = new Places(value)
  const runtime = places.text(['runtime']) ?? 'docker'
  if (!isRuntime(runtime)) {
    const message = `"${runtime}" is not supported: use ${RUNTIMES.join(', ')}`
    return { reason: 'UnsupportedRuntime', problems: [{ field: 'spec.runtime', message }] }
  }
  const image = places.text(['image'])
  const command = readCommand(places)
  const pullPolicy = readPullPolicy(places)
  const volumes = readVolumes(places, runtime)
  const location = readLocation(places, value.location)
  const replicas = readReplicas(places)
  const limits = runtime === 'docker' ? readLimits(places) : undefined
  const spec: DeploymentSpec = {
    runtime,
    replicas,
    executorType: readType(places),
    env: readEnv(places),
    volumes: volumes.mounts,
    pullSecrets: runtime === 'local' ? [] : readPullSecrets(places),
    ports: runtime === 'docker' ? readPorts(places, replicas) : [],
    ...(limits && { limits }),
    hostNetwork: runtime === 'docker' && places.is('network', 'host'),
    placement: runtime === 'kubernetes' ? readPlacement(places, volumes.podVolumes) : {},
    ...(location !== undefined && { location }),
    ...(image !== undefined && { image }),
    ...(command && { command }),
    ...(pullPolicy && { pullPolicy }),
    unused: places.unread(DESCRIPTIVE),
  }
  if (runtime !== 'local' && image === undefined && places.problems.length === 0) {
    places.problem('spec.image', `is required for ${runtime}`)
  }
  return places.problems.length > 0 ? invalid(places.problems) : { spec }
}

function invalid(problems: readonly Problem[]): SpecReading {
  return { reason: 'InvalidSpec', problems }
}

function isRuntime(name: string): name is RuntimeName {
  return RUNTIMES.some((known) => known === name)
}

function readReplicas(places: Places): number {
  const found = places.find(['replicas'])
  if (found === undefined) return 1
  const { value, field } = found
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_REPLICAS) return value
  places.problem(field, `must be a whole number from 0 to ${MAX_REPLICAS}, not ${writeJson(value)}`)
  return 0
}

/** Only that of the spec itself: a template describes its location for people. */
function readLocation(places: Places, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && value !== '') return value
  places.problem('spec.location', 'must be a text that is not empty')
  return undefined
}

function readType(places: Places): string {
  const type = places.text(['executorType', 'type'])
  if (type === undefined) {
    if (places.problems.length === 0) places.problem('spec.executorType', 'is required: the type of the executors')
    return ''
  }
  if (!TYPE.test(type)) {
    places.problem('spec.executorType', `"${type}" must be up to 100 letters, digits, dots, dashes, underscores`)
  }
  return type
}

function readCommand(places: Places): readonly string[] | undefined {
  const command = places.texts('command')
  const args = places.texts('args')
  if (args && !command) {
    places.problem('spec.config.args', 'needs a spec.config.command')
    return undefined
  }
  if (command?.[0] === '' || command?.length === 0) {
    places.problem('spec.config.command', 'must begin with the program to run')
  }
  return command && [...command, ...(args ?? [])]
}

function readPullPolicy(places: Places): PullPolicy | undefined {
  const found = places.text(['imagePullPolicy', 'pullPolicy'])
  if (found === undefined) return undefined
  const policy = PULL_POLICIES.find((known) => known.toLowerCase() === found.toLowerCase())
  if (!policy) places.problem('spec.config.imagePullPolicy', `"${found}" must be one of ${PULL_POLICIES.join(', ')}`)
  return policy
}
