// Checks probes and lifecycle hooks of a container.

import { isObject } from '@homeostat/meta'
import { type Cause, forbiddenField, invalidValue, notSupported, required } from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import {
  isSet,
  items,
  nonNegativeFields,
  numberOf,
  portNumber,
  portNumberOrName,
  requiredText,
} from './field-checks.ts'

/** The pod's termination grace period: no hook may sleep for longer. */
type Grace = number | undefined

export function probeErrors(container: Fields, path: string, grace: Grace): Cause[] {
  return PROBES.flatMap((key) => {
    const probe = container[key]
    return isObject(probe) ? oneProbeErrors(probe, `${path}.${key}`, key, grace) : []
  })
}

export const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const

const COUNTS = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold']

function oneProbeErrors(probe: Fields, path: string, kind: string, grace: Grace): Cause[] {
  const causes = [...handlerErrors(probe, path, grace, ['exec', 'httpGet', 'tcpSocket', 'grpc'])]
  causes.push(...nonNegativeFields(probe, path, COUNTS))
  const own = probe.terminationGracePeriodSeconds
  const graceField = `${path}.terminationGracePeriodSeconds`
  if (isSet(own) && numberOf(own) <= 0) causes.push(invalidValue(graceField, own, 'must be greater than 0'))
  if (kind === 'readinessProbe') {
    if (isSet(own)) causes.push(invalidValue(graceField, own, 'must not be set for readinessProbes'))
  } else if (numberOf(probe.successThreshold) !== 1) {
    causes.push(invalidValue(`${path}.successThreshold`, numberOf(probe.successThreshold), 'must be 1'))
  }
  return causes
}

export function lifecycleErrors(container: Fields, path: string, grace: Grace, os: unknown): Cause[] {
  const { lifecycle } = container
  if (!isObject(lifecycle)) return []
  const hooks = ['postStart', 'preStop'].flatMap((key) => {
    const hook = lifecycle[key]
    return isObject(hook) ? handlerErrors(hook, `${path}.lifecycle.${key}`, grace, HOOK_HANDLERS) : []
  })
  return [...hooks, ...stopSignalErrors(lifecycle.stopSignal, `${path}.lifecycle.stopSignal`, os)]
}

const HOOK_HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'sleep']

function stopSignalErrors(signal: unknown, path: string, os: unknown): Cause[] {
  if (!isSet(signal)) return []
  if (!isObject(os)) return [forbiddenField(path, 'may not be set for containers with empty `spec.os.name`')]
  const known = os.name === 'windows' ? ['SIGKILL', 'SIGTERM'] : SIGNALS
  return known.includes(textOf(signal)) ? [] : [notSupported(path, signal, known)]
}

const REAL_TIME = [
  'SIGRTMIN',
  ...Array.from({ length: 15 }, (_, index) => `SIGRTMIN+${index + 1}`),
  ...Array.from({ length: 14 }, (_, index) => `SIGRTMAX-${14 - index}`),
  'SIGRTMAX',
]
const SIGNALS = [
  ...'ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT SEGV STKFLT STOP SYS TERM TRAP'
    .split(' ')
    .concat('TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ'.split(' '))
    .map((name) => `SIG${name}`),
  ...REAL_TIME,
]

function handlerErrors(holder: Fields, path: string, grace: Grace, kinds: readonly string[]): Cause[] {
  const [first, ...further] = kinds.filter((kind) => isSet(holder[kind]))
  if (first === undefined) return [required(path, 'must specify a handler type')]
  return [
    ...(HANDLERS[first]?.(fieldsOf(holder[first]), `${path}.${first}`, grace) ?? []),
    ...further.map((kind) => forbiddenField(`${path}.${kind}`, 'may not specify more than 1 handler type')),
  ]
}

const HANDLERS: Readonly<Record<string, (handler: Fields, path: string, grace: Grace) => Cause[]>> = {
  exec: (handler, path) => (listOf(handler.command).length === 0 ? [required(`${path}.command`)] : []),
  httpGet: httpGetErrors,
  tcpSocket: (handler, path) => portNumberOrName(`${path}.port`, handler.port),
  grpc: (handler, path) => portNumber(`${path}.port`, handler.port),
  sleep: (handler, path, grace) => {
    const seconds = numberOf(handler.seconds)
    if (grace === undefined || (seconds >= 0 && seconds <= grace)) return []
    return [invalidValue(path, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${grace})`)]
  },
}

function httpGetErrors(handler: Fields, path: string): Cause[] {
  const causes = [...requiredText(`${path}.path`, handler.path), ...portNumberOrName(`${path}.port`, handler.port)]
  const schemes = ['HTTP', 'HTTPS']
  if (!schemes.includes(textOf(handler.scheme))) causes.push(notSupported(`${path}.scheme`, handler.scheme, schemes))
  for (const { item } of items(handler.httpHeaders, '')) {
    if (/^[-A-Za-z0-9]+$/.test(textOf(item.name))) continue
    const rule = "a valid HTTP header must consist of alphanumeric characters or '-'"
    causes.push(invalidValue(`${path}.httpHeaders`, textOf(item.name), rule))
  }
  return causes
}
