// Computes the QoS class of a pod from its requests and limits.

import { compareQuantities, isObject, parseQuantity } from '@homeostat/meta'
import { type Fields, fieldsOf } from '../fields-of.ts'
import { items } from './field-checks.ts'

const COUNTED = ['cpu', 'memory']

export function qosClass(spec: Fields): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const own = isObject(spec.resources) ? [{ resources: spec.resources }] : []
  const all =
    own.length > 0 ? own : [...items(spec.containers, ''), ...items(spec.initContainers, '')].map(({ item }) => item)
  const amounts = all.map((one) => fieldsOf(one.resources))
  if (amounts.every(({ requests, limits }) => COUNTED.every((name) => !has(requests, name) && !has(limits, name)))) {
    return 'BestEffort'
  }
  const guaranteed = amounts.every(({ requests, limits }) => COUNTED.every((name) => same(requests, limits, name)))
  return guaranteed ? 'Guaranteed' : 'Burstable'
}

function has(amounts: unknown, name: string): boolean {
  const quantity = parseQuantity(fieldsOf(amounts)[name])
  return quantity !== undefined && quantity.nanos > 0n
}

function same(requests: unknown, limits: unknown, name: string): boolean {
  const [least, most] = [parseQuantity(fieldsOf(requests)[name]), parseQuantity(fieldsOf(limits)[name])]
  return has(limits, name) && least !== undefined && most !== undefined && compareQuantities(least, most) === 0
}
