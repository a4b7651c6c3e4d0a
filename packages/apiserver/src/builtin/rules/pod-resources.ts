// Requests and limits of a pod as a whole, and the sums over its containers.

import { compareQuantities, formatQuantity, isObject, parseQuantity, type Quantity } from '@homeostat/meta'
import { type Cause, invalidValue } from '@homeostat/meta/server'
import { type Fields, fieldsOf } from '../fields-of.ts'
import { isSet, items } from './field-checks.ts'
import { isHugePages, isPodResource } from './resource-checks.ts'

/** Fills in missing pod requests: with the sum of the containers' requests, else with the pod's limit. */
export function defaultPodRequests(spec: Fields): void {
  if (!isObject(spec.resources)) return
  const { resources } = spec
  const limits = Object.entries(fieldsOf(resources.limits))
  if (limits.length === 0) return
  const requests = { ...fieldsOf(resources.requests) }
  for (const [name, amount] of totalOf(spec, 'requests')) {
    if (isPodResource(name) && !isHugePages(name) && !isSet(requests[name])) requests[name] = formatQuantity(amount)
  }
  for (const [name, amount] of limits) if (isPodResource(name) && !isSet(requests[name])) requests[name] = amount
  if (Object.keys(requests).length > 0) resources.requests = requests
}

/** Checks that containers request no more than their pod, and that no container has a higher limit. */
export function podTotalErrors(spec: Fields, path: string): Cause[] {
  const { requests, limits } = fieldsOf(spec.resources)
  const causes: Cause[] = []
  for (const [name, total] of totalOf(spec, 'requests')) {
    const given = parseQuantity(fieldsOf(requests)[name])
    if (!given || compareQuantities(total, given) <= 0) continue
    const detail = `must be greater than or equal to aggregate container requests of ${formatQuantity(total)}`
    causes.push(invalidValue(`${path}.requests[${name}]`, formatQuantity(given), detail))
  }
  for (const { item, index } of items(spec.containers, '')) {
    for (const [name, value] of Object.entries(fieldsOf(fieldsOf(item.resources).limits))) {
      const [own, most] = [parseQuantity(value), parseQuantity(fieldsOf(limits)[name])]
      if (!own || !most || compareQuantities(own, most) <= 0) continue
      const detail = `must be less than or equal to pod limits of ${formatQuantity(most)}`
      causes.push(invalidValue(`${path}.containers[${index}][${name}].limits`, value, detail))
    }
  }
  return causes
}

export type AmountKind = 'requests' | 'limits'

/** What a pod needs as a whole: its own amounts where it gives them, else those of its containers. */
export function podTotals(spec: Fields, kind: AmountKind): Map<string, Quantity> {
  const totals = totalOf(spec, kind)
  for (const [name, value] of Object.entries(fieldsOf(fieldsOf(spec.resources)[kind]))) {
    const own = parseQuantity(value)
    if (own && isPodResource(name)) totals.set(name, own)
  }
  return totals
}

/** The sum over containers, or the maximum that any init container needs, whichever is larger. */
function totalOf(spec: Fields, kind: AmountKind): Map<string, Quantity> {
  const sum = new Map<string, Quantity>()
  const amounts = (container: Fields) => Object.entries(fieldsOf(fieldsOf(container.resources)[kind]))
  const add = (into: Map<string, Quantity>, container: Fields) => {
    for (const [name, value] of amounts(container)) {
      const quantity = parseQuantity(value)
      if (quantity) into.set(name, plus(into.get(name), quantity))
    }
  }
  for (const { item } of items(spec.containers, '')) add(sum, item)
  const sidecars = new Map<string, Quantity>()
  const most = new Map<string, Quantity>()
  for (const { item } of items(spec.initContainers, '')) {
    const step = new Map(sidecars)
    add(step, item)
    if (item.restartPolicy === 'Always') {
      add(sidecars, item)
      add(sum, item)
    }
    for (const [name, quantity] of step) most.set(name, larger(most.get(name), quantity))
  }
  for (const [name, quantity] of most) sum.set(name, larger(sum.get(name), quantity))
  return sum
}

function plus(a: Quantity | undefined, b: Quantity): Quantity {
  return a ? { nanos: a.nanos + b.nanos, format: a.format } : b
}

function larger(a: Quantity | undefined, b: Quantity): Quantity {
  return a && compareQuantities(a, b) >= 0 ? a : b
}
