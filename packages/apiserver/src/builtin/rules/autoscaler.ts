// Rules of HorizontalPodAutoscaler, in the form of autoscaling/v2.

import { isObject, type KubeObject, parseQuantity, pathSegmentName } from '@homeostat/meta'
import { type Cause, forbiddenField, invalidValue, notSupported, required } from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import type { KindRules } from '../schema-strategy.ts'
import {
  dnsLabel,
  ensure,
  fillMissing,
  isSet,
  items,
  messages,
  nonNegativeFields,
  numberOf,
  optionalChoice,
  requiredName,
} from './field-checks.ts'
import { containerResourceName } from './resource-checks.ts'

export const autoscalerRules: Partial<KindRules> = {
  applyDefaults(autoscaler) {
    const spec = ensure(autoscaler, 'spec')
    fillMissing(spec, 'minReplicas', 1)
    if (autoscaler.apiVersion !== 'autoscaling/v2') return
    if (listOf(spec.metrics).length === 0) {
      const target = { type: 'Utilization', averageUtilization: 80 }
      spec.metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }]
    }
    if (!isObject(spec.behavior)) return
    const { behavior } = spec
    defaultRules(ensure(behavior, 'scaleUp'), { stabilizationWindowSeconds: 0 }, [
      { type: 'Pods', value: 4, periodSeconds: 15 },
      { type: 'Percent', value: 100, periodSeconds: 15 },
    ])
    defaultRules(ensure(behavior, 'scaleDown'), {}, [{ type: 'Percent', value: 100, periodSeconds: 15 }])
  },
  validate: errors,
  validateUpdate: (autoscaler) => [
    ...errors(autoscaler),
    ...nonNegativeFields(fieldsOf(autoscaler.status), 'status', ['currentReplicas', 'desiredReplicas']),
  ],
}

function defaultRules(rules: Fields, more: Fields, policies: readonly Fields[]): void {
  fillMissing(rules, 'selectPolicy', 'Max')
  for (const [key, value] of Object.entries(more)) fillMissing(rules, key, value)
  fillMissing(rules, 'policies', policies)
}

/** Other versions are validated in the stored form. */
function errors(autoscaler: KubeObject): Cause[] {
  if (autoscaler.apiVersion !== 'autoscaling/v2') return []
  const spec = fieldsOf(autoscaler.spec)
  const [least, most] = [numberOf(spec.minReplicas), numberOf(spec.maxReplicas)]
  const causes: Cause[] = []
  if (least < 1) causes.push(invalidValue('spec.minReplicas', least, 'must be greater than or equal to 1'))
  if (most < 1) causes.push(invalidValue('spec.maxReplicas', most, 'must be greater than 0'))
  if (most < least) {
    causes.push(invalidValue('spec.maxReplicas', most, 'must be greater than or equal to `minReplicas`'))
  }
  causes.push(...referenceErrors(fieldsOf(spec.scaleTargetRef), 'spec.scaleTargetRef', false))
  const metrics = items(spec.metrics, 'spec.metrics')
  causes.push(...metrics.flatMap(({ item, path }) => metricErrors(item, path)))
  if (least === 0 && !metrics.some(({ item }) => item.type === 'Object' || item.type === 'External')) {
    const detail = 'must specify at least one Object or External metric to support scaling to zero replicas'
    causes.push(forbiddenField('spec.metrics', detail))
  }
  const { scaleUp, scaleDown } = fieldsOf(spec.behavior)
  return [
    ...causes,
    ...scalingErrors(scaleUp, 'spec.behavior.scaleUp'),
    ...scalingErrors(scaleDown, 'spec.behavior.scaleDown'),
  ]
}

function referenceErrors(reference: Fields, path: string, coreAllowed: boolean): Cause[] {
  const segment = (at: string, value: unknown) => messages(at, value, pathSegmentName(textOf(value)))
  const causes = [
    ...requiredName(`${path}.kind`, reference.kind, segment),
    ...requiredName(`${path}.name`, reference.name, segment),
  ]
  const version = textOf(reference.apiVersion)
  if (version.split('/').length > 2) {
    causes.push(invalidValue(`${path}.apiVersion`, version, `unexpected GroupVersion string: ${version}`))
  } else if (!version.includes('/') && !coreAllowed && !isReplicationController(reference)) {
    causes.push(invalidValue(`${path}.apiVersion`, version, 'apiVersion must specify API group'))
  }
  return causes
}

/** ReplicationController is the one scalable kind of the core group, whose apiVersion has no group. */
function isReplicationController({ apiVersion, kind }: Fields): boolean {
  return apiVersion === 'v1' && kind === 'ReplicationController'
}

const TYPES = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource']
/** The first source that is present in this order is checked. */
const SOURCES = ['object', 'external', 'pods', 'resource', 'containerResource']

function metricErrors(metric: Fields, path: string): Cause[] {
  const type = textOf(metric.type)
  const causes: Cause[] = []
  if (type === '') causes.push(required(`${path}.type`, 'must specify a metric source type'))
  // Two causes: one for the type, one for the missing source of that type.
  const unknown = TYPES.includes(type) ? [] : [notSupported(`${path}.type`, type, TYPES)]
  const present = SOURCES.filter((key) => isSet(metric[key]))
  const [first] = present
  if (first) causes.push(...(SOURCE_CHECKS[first]?.(fieldsOf(metric[first]), `${path}.${first}`) ?? []))
  const expected = type === '' ? '' : type.charAt(0).toLowerCase() + type.slice(1)
  if (TYPES.includes(type) && !isSet(metric[expected])) {
    causes.push(required(`${path}.${expected}`, 'must populate information for the given metric source'))
  }
  const surplus = present.length === 1 ? [] : present.filter((key) => key !== expected)
  return [
    ...causes,
    ...unknown,
    ...unknown,
    ...surplus.map((key) => forbiddenField(`${path}.${key}`, 'must populate the given metric source only')),
  ]
}

const SOURCE_CHECKS: Readonly<Record<string, (source: Fields, path: string) => Cause[]>> = {
  object: (source, path) => [
    ...referenceErrors(fieldsOf(source.describedObject), `${path}.describedObject`, true),
    ...identifierErrors(source, path),
    ...targetErrors(source, path),
    ...needsOneOf(source, path, ['value', 'averageValue'], 'averageValue'),
  ],
  external: (source, path) => [
    ...identifierErrors(source, path),
    ...targetErrors(source, path),
    ...needsOneOf(source, path, ['value', 'averageValue'], 'averageValue'),
    ...notBoth(source, path, 'averageValue', 'value'),
  ],
  pods: (source, path) => [
    ...identifierErrors(source, path),
    ...targetErrors(source, path),
    ...needsOneOf(source, path, ['averageValue'], 'averageValue'),
  ],
  resource: (source, path) => [
    ...(textOf(source.name) === '' ? [required(`${path}.name`, 'must specify a resource name')] : []),
    ...targetErrors(source, path),
    ...needsOneOf(source, path, ['averageUtilization', 'averageValue'], 'averageUtilization'),
    ...notBoth(source, path, 'averageUtilization', 'averageValue'),
  ],
  containerResource: (source, path) => [
    ...requiredName(`${path}.name`, source.name, (at, value) => containerResourceName(at, textOf(value))),
    ...requiredName(`${path}.container`, source.container, dnsLabel),
    ...targetErrors(source, path),
    ...needsOneOf(source, path, ['averageUtilization', 'averageValue'], 'averageUtilization'),
    ...notBoth(source, path, 'averageUtilization', 'averageValue'),
  ],
}

function identifierErrors(source: Fields, path: string): Cause[] {
  const { name } = fieldsOf(source.metric)
  return requiredName(`${path}.metric.name`, name, (at, value) => messages(at, value, pathSegmentName(textOf(value))))
}

function needsOneOf(source: Fields, path: string, keys: readonly string[], named: string): Cause[] {
  const target = fieldsOf(source.target)
  if (keys.some((key) => isSet(target[key]))) return []
  return [required(`${path}.target.${named}`, `must set one of ${keys.join(', ')}`)]
}

function notBoth(source: Fields, path: string, one: string, other: string): Cause[] {
  const target = fieldsOf(source.target)
  if (!isSet(target[one]) || !isSet(target[other])) return []
  return [forbiddenField(`${path}.target.${other}`, `may not set both ${one} and ${other}`)]
}

function targetErrors(source: Fields, path: string): Cause[] {
  const target = fieldsOf(source.target)
  const at = `${path}.target`
  const type = textOf(target.type)
  const causes = type === '' ? [required(`${at}.type`, 'must specify a metric target type')] : []
  if (!['Utilization', 'Value', 'AverageValue'].includes(type)) {
    causes.push(invalidValue(`${at}.type`, type, 'must be either Utilization, Value, or AverageValue'))
  }
  for (const key of ['value', 'averageValue']) {
    const amount = parseQuantity(target[key])
    if (amount && amount.nanos <= 0n) causes.push(invalidValue(`${at}.${key}`, target[key], 'must be positive'))
  }
  if (isSet(target.averageUtilization) && numberOf(target.averageUtilization) < 1) {
    causes.push(invalidValue(`${at}.averageUtilization`, target.averageUtilization, 'must be greater than 0'))
  }
  return causes
}

function scalingErrors(rules: unknown, path: string): Cause[] {
  if (!isObject(rules)) return []
  const window = rules.stabilizationWindowSeconds
  const causes: Cause[] = []
  if (numberOf(window) < 0 || numberOf(window) > 3600) {
    const detail = numberOf(window) < 0 ? 'greater than or equal to zero' : 'less than or equal to 3600'
    causes.push(invalidValue(`${path}.stabilizationWindowSeconds`, window, `must be ${detail}`))
  }
  causes.push(...optionalChoice(`${path}.selectPolicy`, rules.selectPolicy, ['Disabled', 'Max', 'Min']))
  if (listOf(rules.policies).length === 0) {
    causes.push(required(`${path}.policies`, 'must specify at least one Policy'))
  }
  for (const { item, path: at } of items(rules.policies, `${path}.policies`)) {
    const types = ['Percent', 'Pods']
    if (!types.includes(textOf(item.type))) causes.push(notSupported(`${at}.type`, item.type ?? '', types))
    const [value, period] = [numberOf(item.value), numberOf(item.periodSeconds)]
    if (value <= 0) causes.push(invalidValue(`${at}.value`, value, 'must be greater than zero'))
    if (period <= 0) causes.push(invalidValue(`${at}.periodSeconds`, period, 'must be greater than zero'))
    if (period > 1800) causes.push(invalidValue(`${at}.periodSeconds`, period, 'must be less than or equal to 1800'))
  }
  const tolerance = parseQuantity(rules.tolerance)
  if (tolerance && tolerance.nanos < 0n) {
    causes.push(invalidValue(`${path}.tolerance`, rules.tolerance, 'must be greater than or equal to 0'))
  }
  return causes
}
