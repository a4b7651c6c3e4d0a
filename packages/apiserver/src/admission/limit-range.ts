// What the LimitRanges of a namespace mean for one object: the defaults of containers, and the limits of containers, pods and
// claims. Pure; the steps beside it read the LimitRanges. Messages are those of Kubernetes.

import { deepClone, formatQuantity, type KubeObject, parseQuantity, type Quantity } from '@homeostat/meta'
import { type Fields, fieldsOf, textOf } from '../builtin/fields-of.ts'
import { ensure, isSet, items, structs } from '../builtin/rules/field-checks.ts'
import { podTotals } from '../builtin/rules/pod-resources.ts'

const ANNOTATION = 'kubernetes.io/limit-ranger'

type Amounts = ReadonlyMap<string, Quantity>

/** The pod with the containers' missing requests and limits; the pod itself when none is missing. */
export function withDefaults(pod: KubeObject, ranges: readonly KubeObject[]): KubeObject {
  const requests = new Map<string, unknown>()
  const limits = new Map<string, unknown>()
  for (const limit of limitsOf(ranges, 'Container')) {
    for (const [name, amount] of Object.entries(fieldsOf(limit.defaultRequest))) requests.set(name, amount)
    for (const [name, amount] of Object.entries(fieldsOf(limit.default))) limits.set(name, amount)
  }
  if (requests.size === 0 && limits.size === 0) return pod
  const changed = deepClone(pod)
  const notes: string[] = []
  const spec = ensure(changed, 'spec')
  for (const [list, called] of [
    ['containers', 'container'],
    ['initContainers', 'init container'],
  ] as const) {
    for (const container of structs(spec, list)) {
      const whose = `${called} ${textOf(container.name)}`
      const requested = fillAmounts(container, 'requests', requests)
      const limited = fillAmounts(container, 'limits', limits)
      if (requested.length > 0) notes.push(`${requested.join(', ')} request for ${whose}`)
      if (limited.length > 0) notes.push(`${limited.join(', ')} limit for ${whose}`)
    }
  }
  if (notes.length === 0) return pod
  changed.metadata.annotations = {
    ...changed.metadata.annotations,
    [ANNOTATION]: `LimitRanger plugin set: ${notes.join('; ')}`,
  }
  return changed
}

/** The names that were missing. */
function fillAmounts(container: Fields, kind: string, defaults: ReadonlyMap<string, unknown>): string[] {
  const now = fieldsOf(fieldsOf(container.resources)[kind])
  const missing = [...defaults].filter(([name]) => !isSet(now[name]))
  if (missing.length === 0) return []
  ensure(container, 'resources')[kind] = { ...now, ...Object.fromEntries(missing) }
  return missing.map(([name]) => name).sort()
}

/** What of the pod is outside the limits. */
export function podViolations(pod: KubeObject, ranges: readonly KubeObject[]): string[] {
  const spec = fieldsOf(pod.spec)
  const containers = [...items(spec.containers, ''), ...items(spec.initContainers, '')].map(({ item }) => ({
    requests: amountsOf(fieldsOf(item.resources).requests),
    limits: amountsOf(fieldsOf(item.resources).limits),
  }))
  const whole = { requests: podTotals(spec, 'requests'), limits: podTotals(spec, 'limits') }
  return [
    ...limitsOf(ranges, 'Container').flatMap((limit) => containers.flatMap((one) => violations(limit, one))),
    ...limitsOf(ranges, 'Pod').flatMap((limit) => violations(limit, whole)),
  ]
}

/** What of the claim is outside the limits. Claims have requests only. */
export function claimViolations(claim: KubeObject, ranges: readonly KubeObject[]): string[] {
  const requests = amountsOf(fieldsOf(fieldsOf(claim.spec).resources).requests)
  return limitsOf(ranges, 'PersistentVolumeClaim').flatMap((limit) => [
    ...bounds(limit.min).flatMap((bound) => belowMinimum(limit, bound, requests, new Map())),
    ...bounds(limit.max).flatMap(({ name, amount }) => {
      const text = `maximum ${name} usage per PersistentVolumeClaim is ${formatQuantity(amount)}`
      const asked = requests.get(name)
      if (asked === undefined) return [`${text}. No request is specified`]
      return asked.nanos > amount.nanos ? [`${text}, but request is ${formatQuantity(asked)}`] : []
    }),
  ])
}

interface Bound {
  readonly name: string
  readonly amount: Quantity
}

function violations(limit: Fields, { requests, limits }: { requests: Amounts; limits: Amounts }): string[] {
  return [
    ...bounds(limit.min).flatMap((bound) => belowMinimum(limit, bound, requests, limits)),
    ...bounds(limit.max).flatMap((bound) => aboveMaximum(limit, bound, requests, limits)),
    ...bounds(limit.maxLimitRequestRatio).flatMap((bound) => aboveRatio(limit, bound, requests, limits)),
  ]
}

function belowMinimum({ type }: Fields, { name, amount }: Bound, requests: Amounts, limits: Amounts): string[] {
  const text = `minimum ${name} usage per ${textOf(type)} is ${formatQuantity(amount)}`
  const [asked, most] = [requests.get(name), limits.get(name)]
  if (asked === undefined) return [`${text}. No request is specified`]
  if (asked.nanos < amount.nanos) return [`${text}, but request is ${formatQuantity(asked)}`]
  return most !== undefined && most.nanos < amount.nanos ? [`${text}, but limit is ${formatQuantity(most)}`] : []
}

function aboveMaximum({ type }: Fields, { name, amount }: Bound, requests: Amounts, limits: Amounts): string[] {
  const text = `maximum ${name} usage per ${textOf(type)} is ${formatQuantity(amount)}`
  const [asked, most] = [requests.get(name), limits.get(name)]
  if (most === undefined) return [`${text}. No limit is specified`]
  if (most.nanos > amount.nanos) return [`${text}, but limit is ${formatQuantity(most)}`]
  return asked !== undefined && asked.nanos > amount.nanos ? [`${text}, but request is ${formatQuantity(asked)}`] : []
}

function aboveRatio({ type }: Fields, { name, amount }: Bound, requests: Amounts, limits: Amounts): string[] {
  const text = `${name} max limit to request ratio per ${textOf(type)} is ${formatQuantity(amount)}`
  const [asked, most] = [requests.get(name)?.nanos ?? 0n, limits.get(name)?.nanos ?? 0n]
  if (asked === 0n) return [`${text}, but no request is specified or request is 0`]
  if (most === 0n) return [`${text}, but no limit is specified or limit is 0`]
  const ratio = Number(most) / Number(asked)
  return ratio > Number(amount.nanos) / 1e9 ? [`${text}, but provided ratio is ${ratio.toFixed(6)}`] : []
}

function limitsOf(ranges: readonly KubeObject[], type: string): Fields[] {
  return ranges.flatMap(({ spec }) => structs(fieldsOf(spec), 'limits').filter((limit) => limit.type === type))
}

function bounds(amounts: unknown): Bound[] {
  return [...amountsOf(amounts)].map(([name, amount]) => ({ name, amount }))
}

function amountsOf(amounts: unknown): Map<string, Quantity> {
  return new Map(
    Object.entries(fieldsOf(amounts)).flatMap(([name, value]) => {
      const amount = parseQuantity(value)
      return amount === undefined ? [] : [[name, amount] as const]
    }),
  )
}
