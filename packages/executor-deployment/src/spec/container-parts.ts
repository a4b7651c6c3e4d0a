// Parses the parts of the spec that containers have: published ports, limits, and the Secrets with logins of registries. Pure.

import { isIPv4, isIPv6 } from 'node:net'
import { isObject, parseQuantity, writeJson } from '@homeostat/meta'
import type { PublishedPort } from '@homeostat/runtimes'
import type { Places } from './spec-places.ts'

type Port = PublishedPort | undefined

/** A number, or `{containerPort, hostPort, hostIP, protocol}`. */
export function readPorts(places: Places, replicas: number): PublishedPort[] {
  const found = places.find(['ports'])
  if (found === undefined) return []
  const { value, field } = found
  if (!Array.isArray(value)) {
    places.problem(field, 'must be a list of {containerPort, hostPort}')
    return []
  }
  const ports = value.map((one: unknown, index) => readPort(places, one, `${field}[${index}]`))
  const fixed = ports.findIndex((port) => port?.hostPort !== undefined)
  if (fixed >= 0 && replicas > 1) {
    const why = `one port of the machine cannot be that of ${replicas} replicas: leave it out, and each gets a free one`
    places.problem(`${field}[${fixed}].hostPort`, why)
  }
  return ports.filter((port) => port !== undefined)
}

function readPort(places: Places, value: unknown, field: string): Port {
  const { containerPort, hostPort, hostIP, protocol = 'TCP' } = isObject(value) ? value : { containerPort: value }
  const isKnown = protocol === 'TCP' || protocol === 'UDP' || protocol === 'tcp' || protocol === 'udp'
  const wrong = !isPort(containerPort)
    ? 'must be {containerPort, hostPort}, ports from 1 to 65535'
    : hostPort !== undefined && !isPort(hostPort)
      ? `hostPort must be a port from 1 to 65535, not ${writeJson(hostPort)}`
      : hostIP !== undefined && !(typeof hostIP === 'string' && (isIPv4(hostIP) || isIPv6(hostIP)))
        ? `hostIP must be an address of the machine, not ${writeJson(hostIP)}`
        : isKnown
          ? undefined
          : `protocol must be TCP or UDP, not ${writeJson(protocol)}`
  if (wrong !== undefined) {
    places.problem(field, wrong)
    return undefined
  }
  return {
    containerPort: containerPort as number,
    ...(hostPort !== undefined && { hostPort: hostPort as number }),
    ...(hostIP !== undefined && { hostIP: hostIP as string }),
    ...(String(protocol).toLowerCase() === 'udp' && { protocol: 'udp' as const }),
  }
}

function isPort(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 65_535
}

/** As in a Pod: `resources.limits`. */
export function readLimits(places: Places): { cpu?: number; memory?: number } | undefined {
  const limits = places.fields('resources')?.limits
  if (limits === undefined) return undefined
  if (!isObject(limits)) {
    places.problem('spec.config.resources.limits', 'must be an object with cpu and memory')
    return undefined
  }
  const amounts = Object.entries(limits).flatMap(([name, value]) => {
    const field = `spec.config.resources.limits.${name}`
    const nanos = parseQuantity(value)?.nanos
    if (name !== 'cpu' && name !== 'memory') places.problem(field, 'is not known: use cpu and memory')
    else if (nanos === undefined || nanos <= 0n) {
      places.problem(field, `must be a quantity above 0, not ${writeJson(value)}`)
    } else return [[name, Number(nanos) / 1e9] as const]
    return []
  })
  return Object.fromEntries(amounts)
}

/** Names, or `{name}` as in a Pod. */
export function readPullSecrets(places: Places): string[] {
  const found = places.find(['imagePullSecrets'])
  if (found === undefined) return []
  const names = Array.isArray(found.value)
    ? found.value.map((one: unknown) => (isObject(one) ? one.name : one))
    : [undefined]
  if (names.every((name) => typeof name === 'string' && name !== '')) return names as string[]
  places.problem(found.field, 'must be a list of the names of Secrets')
  return []
}
