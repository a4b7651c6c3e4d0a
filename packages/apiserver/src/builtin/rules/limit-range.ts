// Rules of LimitRange: limits and default requests of a single pod, container or claim in a namespace.

import { compareQuantities, type KubeObject, parseQuantity, type Quantity } from '@homeostat/meta'
import { type Cause, duplicate, forbiddenField, invalidValue, required } from '@homeostat/meta/server'
import { type Fields, fieldsOf, textOf } from '../fields-of.ts'
import type { KindRules } from '../schema-strategy.ts'
import { ensure, items, qualified, structs } from './field-checks.ts'
import { roundAmounts } from './pod-spec-defaults.ts'
import { containerResourceName, mayOvercommit, resourceName } from './resource-checks.ts'

const MAPS = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio']

export const limitRangeRules: Partial<KindRules> = {
  prepareForCreate({ metadata }) {
    if (!metadata.name && metadata.uid !== undefined) metadata.name = metadata.uid
  },
  applyDefaults(range) {
    for (const limit of structs(fieldsOf(range.spec), 'limits')) {
      for (const key of MAPS) roundAmounts(limit[key])
      if (limit.type === 'Container') complete(limit)
    }
  },
  validate: (range: KubeObject) => {
    const types = new Set<string>()
    return items(fieldsOf(range.spec).limits, 'spec.limits').flatMap(({ item, path }) => {
      const type = textOf(item.type)
      const causes = typeErrors(type, `${path}.type`)
      if (types.has(type)) causes.push(duplicate(`${path}.type`, type))
      types.add(type)
      return [...causes, ...limitErrors(item, path)]
    })
  },
}

/** `max` is the default limit; the default limit, then `min`, is the default request. */
function complete(limit: Fields): void {
  const [limits, requests] = [ensure(limit, 'default'), ensure(limit, 'defaultRequest')]
  addMissing(limits, limit.max)
  addMissing(requests, limits)
  addMissing(requests, limit.min)
  for (const key of ['default', 'defaultRequest']) if (Object.keys(fieldsOf(limit[key])).length === 0) delete limit[key]
}

function addMissing(into: Fields, from: unknown): void {
  for (const [name, value] of Object.entries(fieldsOf(from))) into[name] ??= value
}

function typeErrors(type: string, path: string): Cause[] {
  const causes = qualified(path, type)
  if (causes.length > 0 || type.includes('/') || ['Pod', 'Container', 'PersistentVolumeClaim'].includes(type))
    return causes
  return [invalidValue(path, type, 'must be a standard limit type or fully qualified')]
}

function limitErrors(limit: Fields, path: string): Cause[] {
  const type = textOf(limit.type)
  const nameErrors = type === 'Pod' || type === 'Container' ? containerResourceName : resourceName
  const causes: Cause[] = []
  const considered: Record<string, Fields> = {}
  for (const key of MAPS) {
    const given = fieldsOf(limit[key])
    const denied = type === 'Pod' && (key === 'default' || key === 'defaultRequest')
    if (denied && Object.keys(given).length > 0) {
      causes.push(forbiddenField(`${path}.${key}`, "may not be specified when `type` is 'Pod'"))
    }
    considered[key] = denied ? {} : given
    if (!denied) for (const name of Object.keys(given)) causes.push(...nameErrors(`${path}.${key}[${name}]`, name))
  }
  if (type === 'PersistentVolumeClaim' && !considered.min?.storage && !considered.max?.storage) {
    const detail = 'either minimum or maximum storage value is required, but neither was provided'
    causes.push(required(`${path}.limits`, detail))
  }
  const names = new Set(Object.values(considered).flatMap((given) => Object.keys(given)))
  return [...causes, ...[...names].flatMap((name) => amountErrors(considered, name, path))]
}

/** Pairs whose first must not exceed the second, and the field that the cause names. */
const ORDERED = [
  ['min', 'max', 'min'],
  ['min', 'defaultRequest', 'defaultRequest'],
  ['defaultRequest', 'max', 'defaultRequest'],
  ['defaultRequest', 'default', 'defaultRequest'],
  ['min', 'default', 'default'],
  ['default', 'max', 'default'],
] as const

function amountErrors(limit: Readonly<Record<string, Fields>>, name: string, path: string): Cause[] {
  const amount = (key: string): Quantity | undefined => parseQuantity(limit[key]?.[name])
  const causes = ORDERED.flatMap(([low, high, named]) => {
    const [less, more] = [amount(low), amount(high)]
    if (!less || !more || compareQuantities(less, more) <= 0) return []
    const detail = `${low} value ${limit[low]?.[name]} is greater than ${high} value ${limit[high]?.[name]}`
    return [invalidValue(`${path}.${named}[${name}]`, limit[named]?.[name], detail)]
  })
  const [ratio, least, most] = [amount('maxLimitRequestRatio'), amount('min'), amount('max')]
  const ratioPath = `${path}.maxLimitRequestRatio[${name}]`
  const given = limit.maxLimitRequestRatio?.[name]
  if (ratio && ratio.nanos < 1_000_000_000n)
    causes.push(invalidValue(ratioPath, given, `ratio ${given} is less than 1`))
  if (ratio && least && most && Number(ratio.nanos) / 1e9 > Number(most.nanos) / Number(least.nanos)) {
    causes.push(invalidValue(ratioPath, given, `ratio ${given} is greater than max/min`))
  }
  const [limits, requests] = [amount('default'), amount('defaultRequest')]
  if (!mayOvercommit(name) && limits && requests && compareQuantities(limits, requests) !== 0) {
    const detail = `default value must equal to defaultRequest value in ${name}`
    causes.push(invalidValue(`${path}.defaultRequest[${name}]`, limit.defaultRequest?.[name], detail))
  }
  return causes
}
