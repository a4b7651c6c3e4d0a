// What a ResourceClaim uses of a quota: itself, and devices by their class. Where it names several devices of which the first available is
// taken, the most that it may get of each class counts.

import type { KubeObject, Quantity } from '@homeostat/meta'
import { type Fields, fieldsOf, listOf, textOf } from '../../builtin/fields-of.ts'
import { isSet, numberOf } from '../../builtin/rules/field-checks.ts'
import { type ObjectUsage, ONE, plus } from './usage.ts'

export const DEVICE_CLASS = '.deviceclass.resource.k8s.io/devices'

/** The most devices of an allocation, which one of the mode All may get. */
const MOST_DEVICES = 32

export function deviceUsage({ spec }: KubeObject): ObjectUsage {
  const amounts = new Map<string, Quantity>([['count/resourceclaims.resource.k8s.io', ONE]])
  for (const request of listOf(fieldsOf(fieldsOf(spec).devices).requests).map(fieldsOf)) {
    for (const [name, count] of devicesOf(request)) {
      amounts.set(name, plus(amounts.get(name), { nanos: BigInt(count) * ONE.nanos, format: 'decimal' }))
    }
  }
  return { amounts, scopes: new Set(), values: {} }
}

/** How many of each class, by the names of quotas. */
function devicesOf({ exactly, firstAvailable }: Fields): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const wanted = listOf(firstAvailable).length > 0 ? listOf(firstAvailable) : isSet(exactly) ? [exactly] : []
  for (const { deviceClassName, allocationMode, count } of wanted.map(fieldsOf)) {
    const devices = textOf(allocationMode) === 'All' ? MOST_DEVICES : isSet(count) ? Math.trunc(numberOf(count)) : 1
    const name = `${textOf(deviceClassName)}${DEVICE_CLASS}`
    counts.set(name, Math.max(counts.get(name) ?? 0, devices))
  }
  return counts
}
