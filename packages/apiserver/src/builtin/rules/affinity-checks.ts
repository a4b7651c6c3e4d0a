// Checks the affinity of a pod to nodes and to other pods.

import { dns1123Subdomain, isObject, labelValue } from '@homeostat/meta'
import { type Cause, forbiddenField, invalidValue, required } from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import { dnsLabel, items, messages, numberOf, qualified, texts } from './field-checks.ts'
import { selectorErrors } from './label-checks.ts'

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution'
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution'

export function affinityErrors(affinity: unknown, path: string): Cause[] {
  const { nodeAffinity, podAffinity, podAntiAffinity } = fieldsOf(affinity)
  return [
    ...nodeAffinityErrors(nodeAffinity, `${path}.nodeAffinity`),
    ...podAffinityErrors(podAffinity, `${path}.podAffinity`),
    ...podAffinityErrors(podAntiAffinity, `${path}.podAntiAffinity`),
  ]
}

function nodeAffinityErrors(affinity: unknown, path: string): Cause[] {
  if (!isObject(affinity)) return []
  const must = affinity[REQUIRED]
  return [
    ...(isObject(must) ? nodeSelectorErrors(must, `${path}.${REQUIRED}`) : []),
    ...items(affinity[PREFERRED], `${path}.${PREFERRED}`).flatMap(({ item, path: at }) => [
      ...weightErrors(item, at),
      // Old objects hold values here that are no label values, so that Kubernetes does not check them.
      ...termErrors(fieldsOf(item.preference), `${at}.preference`, false),
    ]),
  ]
}

export function nodeSelectorErrors(selector: Fields, path: string): Cause[] {
  const at = `${path}.nodeSelectorTerms`
  if (listOf(selector.nodeSelectorTerms).length === 0) {
    return [required(at, 'must have at least one node selector term')]
  }
  return items(selector.nodeSelectorTerms, at).flatMap((one) => termErrors(one.item, one.path, true))
}

function termErrors(term: Fields, path: string, checkValues: boolean): Cause[] {
  return [
    ...items(term.matchExpressions, `${path}.matchExpressions`).flatMap((one) => [
      ...operatorErrors(one.item, one.path),
      ...qualified(`${one.path}.key`, one.item.key),
      ...(checkValues ? valueErrors(one.item, one.path, labelValue) : []),
    ]),
    ...items(term.matchFields, `${path}.matchFields`).flatMap((one) => fieldErrors(one.item, one.path)),
  ]
}

function operatorErrors({ operator, values }: Fields, path: string): Cause[] {
  const count = listOf(values).length
  switch (operator) {
    case 'In':
    case 'NotIn':
      return count > 0 ? [] : [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")]
    case 'Exists':
    case 'DoesNotExist':
      return count === 0
        ? []
        : [forbiddenField(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
    case 'Gt':
    case 'Lt':
      return count === 1
        ? []
        : [required(`${path}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'")]
    default:
      return [invalidValue(`${path}.operator`, textOf(operator), 'not a valid selector operator')]
  }
}

/** metadata.name is the only field of a node that a term can match. */
function fieldErrors(requirement: Fields, path: string): Cause[] {
  const causes: Cause[] = []
  if (requirement.operator !== 'In' && requirement.operator !== 'NotIn') {
    causes.push(invalidValue(`${path}.operator`, textOf(requirement.operator), 'not a valid selector operator'))
  } else if (listOf(requirement.values).length !== 1) {
    const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
    causes.push(required(`${path}.values`, detail))
  }
  if (requirement.key === 'metadata.name') return [...causes, ...valueErrors(requirement, path, dns1123Subdomain)]
  return [...causes, invalidValue(`${path}.key`, textOf(requirement.key), 'not a valid field selector key')]
}

function valueErrors(requirement: Fields, path: string, check: (value: string) => string[]): Cause[] {
  return texts(requirement.values).flatMap((value, index) => messages(`${path}.values[${index}]`, value, check(value)))
}

function podAffinityErrors(affinity: unknown, path: string): Cause[] {
  if (!isObject(affinity)) return []
  return [
    ...items(affinity[REQUIRED], `${path}.${REQUIRED}`).flatMap((one) => podTermErrors(one.item, one.path)),
    ...items(affinity[PREFERRED], `${path}.${PREFERRED}`).flatMap(({ item, path: at }) => [
      ...weightErrors(item, at),
      ...podTermErrors(fieldsOf(item.podAffinityTerm), `${at}.podAffinityTerm`),
    ]),
  ]
}

function weightErrors(item: Fields, path: string): Cause[] {
  const weight = numberOf(item.weight)
  return weight > 0 && weight <= 100 ? [] : [invalidValue(`${path}.weight`, weight, 'must be in the range 1-100')]
}

function podTermErrors(term: Fields, path: string): Cause[] {
  return [
    ...selectorErrors(`${path}.labelSelector`, term.labelSelector),
    ...selectorErrors(`${path}.namespaceSelector`, term.namespaceSelector),
    ...texts(term.namespaces).flatMap((name) => dnsLabel(`${path}.namespace`, name)),
    ...labelKeyErrors(term, path),
    ...(textOf(term.topologyKey) === '' ? [required(`${path}.topologyKey`, 'can not be empty')] : []),
    ...qualified(`${path}.topologyKey`, term.topologyKey),
  ]
}

/** matchLabelKeys take their values from the pod itself; they need a selector to extend. */
export function labelKeyErrors(term: Fields, path: string): Cause[] {
  const { labelSelector: selector } = term
  const [match, mismatch] = [texts(term.matchLabelKeys), texts(term.mismatchLabelKeys)]
  const causes = [
    ...keyListErrors(match, `${path}.matchLabelKeys`, selector),
    ...keyListErrors(mismatch, `${path}.mismatchLabelKeys`, selector),
  ]
  const seen = new Set(Object.keys(fieldsOf(fieldsOf(selector).matchLabels)))
  for (const { item } of items(fieldsOf(selector).matchExpressions, '')) {
    const key = textOf(item.key)
    const index = match.lastIndexOf(key)
    if (index >= 0 && seen.has(key)) {
      causes.push(invalidValue(`${path}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector'))
    }
    seen.add(key)
  }
  match.forEach((key, index) => {
    if (!mismatch.includes(key)) return
    const detail = 'exists in both matchLabelKeys and mismatchLabelKeys'
    causes.push(invalidValue(`${path}.matchLabelKeys[${index}]`, key, detail))
  })
  return causes
}

function keyListErrors(keys: readonly string[], path: string, selector: unknown): Cause[] {
  if (keys.length === 0) return []
  if (!isObject(selector)) return [forbiddenField(path, 'must not be specified when labelSelector is not set')]
  return keys.flatMap((key, index) => qualified(`${path}[${index}]`, key))
}
