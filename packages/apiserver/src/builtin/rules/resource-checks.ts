// Checks requests and limits: valid names, valid quantities, and no request above its limit.

import { compareQuantities, formatQuantity, parseQuantity } from '@homeostat/meta'
import {
  type Cause,
  duplicate,
  forbiddenField,
  invalidValue,
  notFoundValue,
  notSupported,
  required,
} from '@homeostat/meta/server'
import { fieldsOf, textOf } from '../fields-of.ts'
import { dnsLabel, items, qualified } from './field-checks.ts'

const CONTAINER_RESOURCES = ['cpu', 'memory', 'ephemeral-storage']
const COUNTS = [
  'pods',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]
const STANDARD = new Set([
  ...CONTAINER_RESOURCES,
  ...COUNTS,
  'storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'resourcequotas',
])
const WHOLE = new Set([...COUNTS, 'resourcequotas'])

export function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-')
}

function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/')
}

function isExtended(name: string): boolean {
  return !isNative(name) && !name.startsWith('requests.') && qualified('', `requests.${name}`).length === 0
}

function isStandardResource(name: string): boolean {
  return STANDARD.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-')
}

/** A quota limits storage as `requests.storage`; the plain name is no resource of a quota. */
export function isQuotaResource(name: string): boolean {
  return name !== 'storage' && isStandardResource(name)
}

/** Whether requests may be below limits for this resource. */
export function mayOvercommit(name: string): boolean {
  return isNative(name) && !isHugePages(name)
}

export function resourceName(path: string, name: string): Cause[] {
  const causes = qualified(path, name)
  if (causes.length > 0 || name.includes('/') || isStandardResource(name)) return causes
  return [invalidValue(path, name, 'must be a standard resource type or fully qualified')]
}

export function containerResourceName(path: string, name: string): Cause[] {
  const causes = resourceName(path, name)
  if (!name.includes('/')) {
    if (!CONTAINER_RESOURCES.includes(name) && !isHugePages(name)) {
      causes.push(invalidValue(path, name, 'must be a standard resource for containers'))
    }
  } else if (!isNative(name) && !isExtended(name)) {
    causes.push(invalidValue(path, name, "doesn't follow extended resource name standard"))
  }
  return causes
}

export function isPodResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePages(name)
}

export function podResourceName(path: string, name: string): Cause[] {
  const causes = resourceName(path, name)
  if (causes.length > 0 || isPodResource(name)) return causes
  return [notSupported(path, name, ['cpu', 'hugepages-', 'memory'])]
}

/** Not negative, and an integer where the resource has only whole units. */
export function amountErrors(path: string, name: string, value: unknown): Cause[] {
  const quantity = parseQuantity(value)
  if (!quantity) return []
  const causes: Cause[] = []
  if (quantity.nanos < 0n) {
    causes.push(invalidValue(path, formatQuantity(quantity), 'must be greater than or equal to 0'))
  }
  if ((WHOLE.has(name) || isExtended(name)) && quantity.nanos % 1_000_000_000n !== 0n) {
    causes.push(invalidValue(path, formatQuantity(quantity), 'must be an integer'))
  }
  return causes
}

type NameCheck = (path: string, name: string) => Cause[]

export function resourceErrors(
  resources: unknown,
  path: string,
  claims: readonly string[],
  nameCheck: NameCheck = containerResourceName,
): Cause[] {
  const { limits, requests, claims: used } = fieldsOf(resources)
  const limited = Object.entries(fieldsOf(limits))
  const requested = Object.entries(fieldsOf(requests))
  const names = [...limited, ...requested].map(([name]) => name)
  const causes = [
    ...limited.flatMap(([name, value]) => entryErrors(`${path}.limits[${name}]`, name, value, nameCheck)),
    ...requested.flatMap(([name, value]) => [
      ...entryErrors(`${path}.requests[${name}]`, name, value, nameCheck),
      ...againstLimit(path, name, value, fieldsOf(limits)[name]),
    ]),
  ]
  if (names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory')) {
    causes.push(forbiddenField(path, 'HugePages require cpu or memory'))
  }
  return [...causes, ...claimUseErrors(used, `${path}.claims`, claims)]
}

function entryErrors(path: string, name: string, value: unknown, nameCheck: NameCheck): Cause[] {
  const causes = [...nameCheck(path, name), ...amountErrors(path, name, value)]
  const [amount, page] = [parseQuantity(value), parseQuantity(name.slice('hugepages-'.length))]
  if (isHugePages(name) && amount && !(page && page.nanos > 0n && amount.nanos % page.nanos === 0n)) {
    causes.push(invalidValue(path, value, `is not positive integer multiple of ${name}`))
  }
  return causes
}

/** The cause names the list and not the claim in it. */
function againstLimit(path: string, name: string, value: unknown, limit: unknown): Cause[] {
  const [amount, most] = [parseQuantity(value), parseQuantity(limit)]
  if (!amount) return []
  if (!most) {
    return mayOvercommit(name) ? [] : [required(`${path}.limits`, 'Limit must be set for non overcommitable resources')]
  }
  const order = compareQuantities(amount, most)
  if (order === 0 || (order < 0 && mayOvercommit(name))) return []
  const relation = mayOvercommit(name) ? 'less than or equal' : 'equal'
  const detail = `must be ${relation} to ${name} limit of ${formatQuantity(most)}`
  return [invalidValue(`${path}.requests`, formatQuantity(amount), detail)]
}

function claimUseErrors(used: unknown, path: string, claims: readonly string[]): Cause[] {
  const seen = new Set<string>()
  return items(used, path).flatMap(({ item, path: at }) => {
    const [name, request] = [textOf(item.name), textOf(item.request)]
    if (name === '') return [required(at)]
    const causes = request === '' ? [] : dnsLabel(`${at}.request`, request)
    const key = request === '' ? name : `${name}/${request}`
    const taken =
      seen.has(name) || seen.has(key) || (request === '' && [...seen].some((one) => one.startsWith(`${name}/`)))
    if (taken) causes.push(duplicate(at, seen.has(name) ? name : key))
    seen.add(key)
    if (!claims.includes(name)) causes.push(notFoundValue(at, name))
    return causes
  })
}
