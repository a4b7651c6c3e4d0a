// Checks one container of a pod: name, image, ports, mounts, resources, restarts.

import { isObject } from '@homeostat/meta'
import {
  type Cause,
  duplicate,
  forbiddenField,
  invalidValue,
  notFoundValue,
  notSupported,
  required,
  tooLong,
} from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import { envErrors, envFromErrors } from './env-checks.ts'
import {
  choice,
  isSet,
  items,
  numberOf,
  optionalChoice,
  portName,
  portNumber,
  requiredName,
  requiredText,
} from './field-checks.ts'
import { mountErrors } from './mount-checks.ts'
import { resourceErrors } from './resource-checks.ts'
import { containerSecurityErrors } from './security-checks.ts'

/** The parts of the pod that a container refers to. */
export interface ContainerScope {
  /** Valid volumes, by name. */
  readonly volumes: ReadonlyMap<string, Fields>
  /** Names of the pod's resource claims. */
  readonly claims: readonly string[]
  readonly restartPolicy: unknown
  readonly hostUsers: boolean
}

export const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never']
export const PROTOCOLS = ['SCTP', 'TCP', 'UDP']

/** The checks of every container, also of init and ephemeral containers. */
export function containerErrors(container: Fields, path: string, scope: ContainerScope): Cause[] {
  return [
    ...requiredName(`${path}.name`, container.name),
    ...requiredText(`${path}.image`, container.image),
    ...choice(`${path}.terminationMessagePolicy`, container.terminationMessagePolicy, [
      'File',
      'FallbackToLogsOnError',
    ]),
    ...portErrors(container.ports, `${path}.ports`),
    ...envErrors(container.env, `${path}.env`),
    ...envFromErrors(container.envFrom, `${path}.envFrom`),
    ...mountErrors(container, path, scope.volumes),
    ...choice(`${path}.imagePullPolicy`, container.imagePullPolicy, PULL_POLICIES),
    ...resourceErrors(container.resources, `${path}.resources`, scope.claims),
    ...resizeErrors(container.resizePolicy, `${path}.resizePolicy`, scope.restartPolicy),
    ...containerSecurityErrors(container, path, scope.hostUsers),
  ]
}

function portErrors(ports: unknown, path: string): Cause[] {
  const names = new Set<string>()
  return items(ports, path).flatMap(({ item, path: at }) => {
    const name = textOf(item.name)
    const causes = name === '' ? [] : portName(`${at}.name`, name)
    if (causes.length === 0 && names.has(name)) causes.push(duplicate(`${at}.name`, name))
    if (name !== '' && causes.length === 0) names.add(name)
    if (numberOf(item.containerPort) === 0) causes.push(required(`${at}.containerPort`))
    else causes.push(...portNumber(`${at}.containerPort`, item.containerPort))
    if (numberOf(item.hostPort) !== 0) causes.push(...portNumber(`${at}.hostPort`, item.hostPort))
    return [...causes, ...choice(`${at}.protocol`, item.protocol, PROTOCOLS)]
  })
}

/** Host ports are unique; `seen` is shared by containers that run at the same time. */
export function hostPortErrors(container: Fields, path: string, seen: Set<string>): Cause[] {
  return items(container.ports, `${path}.ports`).flatMap(({ item, path: at }) => {
    if (numberOf(item.hostPort) === 0) return []
    const key = `${textOf(item.protocol)}/${textOf(item.hostIP)}/${numberOf(item.hostPort)}`
    if (seen.has(key)) return [duplicate(`${at}.hostPort`, key)]
    seen.add(key)
    return []
  })
}

function resizeErrors(policies: unknown, path: string, podRestart: unknown): Cause[] {
  const seen = new Set<string>()
  return items(policies, path).flatMap(({ item, path: at }) => {
    const name = textOf(item.resourceName)
    const causes = seen.has(name) ? [duplicate(at, name)] : []
    seen.add(name)
    causes.push(...choice(path, name, ['cpu', 'memory']))
    causes.push(...choice(path, item.restartPolicy, ['NotRequired', 'RestartContainer']))
    if (podRestart === 'Never' && item.restartPolicy !== 'NotRequired') {
      causes.push(invalidValue(path, item.restartPolicy, "must be 'NotRequired' when `restartPolicy` is 'Never'"))
    }
    return causes
  })
}

/** The restart rules of a single container. */
export function restartErrors(container: Fields, path: string): Cause[] {
  const rules = listOf(container.restartPolicyRules)
  const policy = container.restartPolicy
  if (!isSet(policy) && rules.length === 0) return []
  const causes = isSet(policy)
    ? optionalChoice(`${path}.restartPolicy`, policy, ['Always', 'Never', 'OnFailure'])
    : [required(`${path}.restartPolicy`, 'must specify restartPolicy when restart rules are used')]
  if (rules.length > 20) causes.push(tooLong(`${path}.restartPolicyRules`, 20))
  for (const { item, path: at } of items(rules, `${path}.restartPolicyRules`)) {
    if (item.action !== 'Restart') causes.push(notSupported(`${at}.action`, item.action, ['Restart']))
    const codes = item.exitCodes
    if (!isObject(codes)) {
      causes.push(required(`${at}.exitCodes`, 'must be specified'))
      continue
    }
    const operators = ['In', 'NotIn']
    if (!operators.includes(textOf(codes.operator))) {
      causes.push(notSupported(`${at}.exitCodes.operator`, codes.operator ?? '', operators))
    }
    if (listOf(codes.values).length > 255) causes.push(tooLong(`${at}.exitCodes.values`, 255))
  }
  return causes
}

/** A sidecar: an init container that keeps running beside the others. */
export function isSidecar(container: Fields): boolean {
  return container.restartPolicy === 'Always'
}

const EPHEMERAL_FIELDS = new Set([
  'name',
  'image',
  'command',
  'args',
  'workingDir',
  'envFrom',
  'env',
  'volumeMounts',
  'volumeDevices',
  'terminationMessagePath',
  'terminationMessagePolicy',
  'imagePullPolicy',
  'securityContext',
  'stdin',
  'stdinOnce',
  'tty',
  'targetContainerName',
])

/** Ephemeral containers have no ports, probes or resources. */
export function ephemeralOnlyErrors(container: Fields, path: string, others: ReadonlySet<string>): Cause[] {
  const target = textOf(container.targetContainerName)
  const causes = target === '' || others.has(target) ? [] : [notFoundValue(`${path}.targetContainerName`, target)]
  const deny = 'cannot be set for an Ephemeral Container'
  for (const [key, value] of Object.entries(container)) {
    if (!EPHEMERAL_FIELDS.has(key) && isSomething(value)) causes.push(forbiddenField(`${path}.${key}`, deny))
  }
  for (const { item, path: at } of items(container.volumeMounts, `${path}.volumeMounts`)) {
    for (const key of ['subPath', 'subPathExpr']) {
      if (textOf(item[key]) !== '') causes.push(forbiddenField(`${at}.${key}`, deny))
    }
  }
  return causes
}

function isSomething(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (isObject(value)) return Object.keys(fieldsOf(value)).length > 0
  return isSet(value) && value !== ''
}
