// Checks what decides when and where a pod is scheduled: tolerations, topology spread, gates, readiness gates.

import { labelValue } from '@homeostat/meta'
import { type Cause, duplicate, forbiddenField, invalidValue, notSupported, required } from '@homeostat/meta/server'
import { type Fields, textOf } from '../fields-of.ts'
import { labelKeyErrors } from './affinity-checks.ts'
import { isSet, items, optionalChoice, positive, qualified } from './field-checks.ts'
import { selectorErrors } from './label-checks.ts'

export const TAINT_EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

export function tolerationErrors(tolerations: unknown, path: string): Cause[] {
  return items(tolerations, path).flatMap(({ item, path: at }) => {
    const key = textOf(item.key)
    const causes = key === '' ? [] : qualified(`${at}.key`, key)
    if (key === '' && item.operator !== 'Exists') {
      const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'
      causes.push(invalidValue(`${at}.operator`, textOf(item.operator), detail))
    }
    if (isSet(item.tolerationSeconds) && item.effect !== 'NoExecute') {
      const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set"
      causes.push(invalidValue(`${at}.effect`, textOf(item.effect), detail))
    }
    causes.push(...operatorErrors(item, `${at}.operator`))
    if (textOf(item.effect) !== '') causes.push(...optionalChoice(`${at}.effect`, item.effect, TAINT_EFFECTS))
    return causes
  })
}

/** The cause of an invalid value names the operator, as in Kubernetes. */
function operatorErrors({ operator, value }: Fields, path: string): Cause[] {
  const text = textOf(value)
  switch (textOf(operator)) {
    case '':
    case 'Equal': {
      const found = labelValue(text)
      return found.length > 0 ? [invalidValue(path, text, found.join(';'))] : []
    }
    case 'Exists':
      return text === '' ? [] : [invalidValue(path, text, "value must be empty when `operator` is 'Exists'")]
    default:
      return [notSupported(path, operator, ['Equal', 'Exists'])]
  }
}

export function spreadErrors(constraints: unknown, path: string): Cause[] {
  const all = items(constraints, path)
  return all.flatMap(({ item, path: at, index }) => {
    const causes = [...positive(`${at}.maxSkew`, item.maxSkew)]
    if (textOf(item.topologyKey) === '') causes.push(required(`${at}.topologyKey`, 'can not be empty'))
    if (!UNSATISFIABLE.includes(textOf(item.whenUnsatisfiable))) {
      causes.push(notSupported(`${at}.whenUnsatisfiable`, item.whenUnsatisfiable ?? '', UNSATISFIABLE))
    }
    const repeated = all
      .slice(index + 1)
      .some((one) => one.item.topologyKey === item.topologyKey && one.item.whenUnsatisfiable === item.whenUnsatisfiable)
    if (repeated) {
      const value = `{${textOf(item.topologyKey)}, ${textOf(item.whenUnsatisfiable)}}`
      causes.push(duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, value))
    }
    return [
      ...causes,
      ...minDomainErrors(item, `${at}.minDomains`),
      ...optionalChoice(`${at}.nodeAffinityPolicy`, item.nodeAffinityPolicy, ['Honor', 'Ignore']),
      ...optionalChoice(`${at}.nodeTaintsPolicy`, item.nodeTaintsPolicy, ['Honor', 'Ignore']),
      ...labelKeyErrors({ ...item, mismatchLabelKeys: undefined }, at),
      ...selectorErrors(`${at}.labelSelector`, item.labelSelector),
    ]
  })
}

const UNSATISFIABLE = ['DoNotSchedule', 'ScheduleAnyway']

function minDomainErrors(item: Fields, path: string): Cause[] {
  if (!isSet(item.minDomains)) return []
  const causes = positive(path, item.minDomains)
  if (item.whenUnsatisfiable !== 'DoNotSchedule') {
    const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${textOf(item.whenUnsatisfiable)}`
    causes.push(invalidValue(path, item.minDomains, detail))
  }
  return causes
}

export function gateErrors(spec: Fields, path: string): Cause[] {
  const seen = new Set<string>()
  return [
    ...items(spec.readinessGates, `${path}.readinessGates`).flatMap((one) =>
      qualified(`${one.path}.conditionType`, one.item.conditionType),
    ),
    ...items(spec.schedulingGates, `${path}.schedulingGates`).flatMap(({ item, path: at }) => {
      const name = textOf(item.name)
      const causes = qualified(at, name)
      if (seen.has(name)) causes.push(duplicate(at, name))
      seen.add(name)
      return causes
    }),
  ]
}

/** Tolerations of a pod may be added and may change their tolerationSeconds; they may not be removed. */
export function onlyAddedTolerations(tolerations: unknown, old: unknown, path: string): Cause[] {
  const sameButSeconds = (a: Fields, b: Fields) =>
    ['key', 'operator', 'value', 'effect'].every((key) => textOf(a[key]) === textOf(b[key]))
  const now = items(tolerations, path)
  const kept = items(old, path).every((one) => now.some(({ item }) => sameButSeconds(item, one.item)))
  if (!kept) {
    return [forbiddenField(path, 'existing toleration can not be modified except its tolerationSeconds')]
  }
  return tolerationErrors(tolerations, path)
}

export function onlyRemovedGates(gates: unknown, old: unknown, path: string): Cause[] {
  const before = new Set(items(old, path).map(({ item }) => textOf(item.name)))
  return items(gates, path).flatMap(({ item, path: at }) => {
    if (before.has(textOf(item.name))) return []
    const detail = `only deletion is allowed, but found new scheduling gate '${textOf(item.name)}'`
    return [forbiddenField(`${at}.name`, detail)]
  })
}

export function taintErrors(taints: unknown, path: string): Cause[] {
  const seen = new Set<string>()
  return items(taints, path).flatMap(({ item, path: at }) => {
    const causes = qualified(`${at}.key`, item.key)
    const found = labelValue(textOf(item.value))
    if (found.length > 0) causes.push(invalidValue(`${at}.value`, item.value, found.join(';')))
    if (textOf(item.effect) === '') causes.push(required(`${at}.effect`))
    else causes.push(...optionalChoice(`${at}.effect`, item.effect, TAINT_EFFECTS))
    const key = `${textOf(item.key)}:${textOf(item.effect)}`
    if (seen.has(key))
      causes.push({ ...duplicate(at, item), message: 'Duplicate value: taints must be unique by key and effect pair' })
    seen.add(key)
    return causes
  })
}
