// Converts autoscalers, which are stored as autoscaling/v2. In v1 the CPU target has a field of its own; everything
// else that v1 has no fields for is kept in annotations, so that a round trip loses nothing.

import { isObject, type KubeObject, parseJson, writeJson } from '@homeostat/meta'
import type { Conversion } from '../../registry/resource-type.ts'
import { type Fields, fieldsOf, listOf } from '../fields-of.ts'
import { metricFromV1, metricStatusFromV1, metricStatusToV1, metricToV1 } from './hpa-metrics.ts'

const METRICS = 'autoscaling.alpha.kubernetes.io/metrics'
const CURRENT = 'autoscaling.alpha.kubernetes.io/current-metrics'
const BEHAVIOR = 'autoscaling.alpha.kubernetes.io/behavior'
const CONDITIONS = 'autoscaling.alpha.kubernetes.io/conditions'

/** The default of v1 when no metric is given. */
const USUAL_UTILIZATION = 80

export const hpaConversion: Conversion = {
  fromStored(object) {
    const { metrics, behavior, ...spec } = fieldsOf(object.spec)
    const { currentMetrics, conditions, ...status } = fieldsOf(object.status)
    const all = listOf(metrics).map(fieldsOf)
    const cpu = all.find(isUtilization)
    const current = listOf(currentMetrics).map(fieldsOf)
    const used = current.findLast(isCpu)
    const others = all.filter((metric) => !isUtilization(metric)).map(metricToV1)
    const utilization = fieldsOf(fieldsOf(used?.resource).current).averageUtilization
    return {
      ...withAnnotations(object, {
        [METRICS]: others.length > 0 ? others : undefined,
        [CURRENT]: current.length > 0 ? current.map(metricStatusToV1) : undefined,
        [BEHAVIOR]: isObject(behavior) ? renameBehavior(behavior, BEHAVIOR_NAMES) : undefined,
        [CONDITIONS]: listOf(conditions).length > 0 ? listOf(conditions).map(inOrder) : undefined,
      }),
      apiVersion: 'autoscaling/v1',
      spec: { ...spec, ...(cpu && { targetCPUUtilizationPercentage: utilizationOf(cpu) }) },
      status: { ...status, ...(utilization !== undefined && { currentCPUUtilizationPercentage: utilization }) },
    }
  },
  toStored(object) {
    const { targetCPUUtilizationPercentage: cpu, ...spec } = fieldsOf(object.spec)
    const { currentCPUUtilizationPercentage: used, ...status } = fieldsOf(object.status)
    const said = (name: string) => parsed(object.metadata.annotations?.[name])
    const behavior = said(BEHAVIOR)
    const conditions = said(CONDITIONS)
    const metrics = [...listOf(said(METRICS)).map((metric) => metricFromV1(fieldsOf(metric)))]
    if (cpu !== undefined) metrics.push(utilizationMetric(cpu))
    const current = Array.isArray(said(CURRENT))
      ? listOf(said(CURRENT)).map((metric) => metricStatusFromV1(fieldsOf(metric)))
      : used === undefined
        ? []
        : [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: used } } }]
    return {
      ...withAnnotations(object, {}),
      apiVersion: 'autoscaling/v2',
      spec: {
        ...spec,
        metrics: metrics.length > 0 ? metrics : [utilizationMetric(USUAL_UTILIZATION)],
        ...(isObject(behavior) && { behavior: renameBehavior(behavior, V2_BEHAVIOR_NAMES) }),
      },
      status: {
        ...status,
        ...(current.length > 0 && { currentMetrics: current }),
        ...(Array.isArray(conditions) && { conditions }),
      },
    }
  },
}

function isCpu({ type, resource }: Fields): boolean {
  return type === 'Resource' && fieldsOf(resource).name === 'cpu'
}

function isUtilization(metric: Fields): boolean {
  return isCpu(metric) && utilizationOf(metric) !== undefined
}

function utilizationOf({ resource }: Fields): unknown {
  return fieldsOf(fieldsOf(resource).target).averageUtilization
}

function utilizationMetric(percent: unknown): Fields {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: percent } } }
}

/** A condition with its fields in the order of the annotation. */
function inOrder(condition: unknown): Fields {
  const { type, status, lastTransitionTime, reason, message, ...others } = fieldsOf(condition)
  return { type, status, lastTransitionTime, reason, message, ...others }
}

/** Applies the defaults of autoscaling/v1. */
export function defaultV1(object: KubeObject): void {
  const spec = fieldsOf(object.spec)
  spec.minReplicas ??= 1
  if (object.metadata.annotations?.[METRICS] === undefined) spec.targetCPUUtilizationPercentage ??= USUAL_UTILIZATION
  object.spec = spec
}

/** The object with these annotations and without those of an earlier conversion. */
function withAnnotations(object: KubeObject, added: Readonly<Record<string, unknown>>): KubeObject {
  const annotations: Record<string, string> = { ...object.metadata.annotations }
  for (const name of [METRICS, CURRENT, BEHAVIOR, CONDITIONS]) delete annotations[name]
  for (const [name, value] of Object.entries(added)) if (value !== undefined) annotations[name] = writeJson(value)
  const { annotations: _, ...metadata } = object.metadata
  return { ...object, metadata: Object.keys(annotations).length > 0 ? { ...metadata, annotations } : metadata }
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return parseJson(text)
  } catch {
    // An annotation that is not JSON counts as absent.
    return undefined
  }
}

/** The annotation uses the Go field names for behavior; their order is part of the text. */
const BEHAVIOR_NAMES: readonly (readonly [string, string])[] = [
  ['scaleUp', 'ScaleUp'],
  ['scaleDown', 'ScaleDown'],
  ['stabilizationWindowSeconds', 'StabilizationWindowSeconds'],
  ['selectPolicy', 'SelectPolicy'],
  ['policies', 'Policies'],
  ['type', 'Type'],
  ['value', 'Value'],
  ['periodSeconds', 'PeriodSeconds'],
  ['tolerance', 'Tolerance'],
]
const V2_BEHAVIOR_NAMES = BEHAVIOR_NAMES.map(([v2, other]) => [other, v2] as const)

function renameBehavior(value: Fields, names: readonly (readonly [string, string])[]): Fields {
  const out: Fields = {}
  for (const [from, to] of names) {
    const inner = value[from]
    if (inner === undefined || inner === null) continue
    if (Array.isArray(inner)) out[to] = inner.map((item) => renameBehavior(fieldsOf(item), names))
    else out[to] = isObject(inner) ? renameBehavior(inner, names) : inner
  }
  return out
}
