// The table of autoscalers in both versions: cell functions receive the form of autoscaling/v2.

import type { KubeObject } from '@homeostat/meta'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import { age, type Cells, NONE, name, number, shortened, textAt, UNKNOWN, UNSET, valueAt } from './cells.ts'

export const HPA_CELLS: Cells = [
  name,
  (object) => `${textAt(object, 'spec.scaleTargetRef.kind')}/${textAt(object, 'spec.scaleTargetRef.name')}`,
  targets,
  (object) => String(valueAt(object, 'spec.minReplicas') ?? UNSET),
  number('spec.maxReplicas'),
  number('status.currentReplicas'),
  age,
]

function targets(object: KubeObject): string {
  const metrics = listOf(valueAt(object, 'spec.metrics')).map(fieldsOf)
  const current = listOf(valueAt(object, 'status.currentMetrics')).map(fieldsOf)
  if (metrics.length === 0) return NONE
  return shortened(
    metrics.map((metric, index) => target(metric, current[index] ?? {})),
    2,
    ', ',
  )
}

function target(metric: Fields, status: Fields): string {
  switch (metric.type) {
    case 'External':
      return amount(fieldsOf(metric.external), fieldsOf(status.external))
    case 'Object':
      return amount(fieldsOf(metric.object), fieldsOf(status.object))
    case 'Pods': {
      const wanted = textAt(metric.pods, 'target.averageValue')
      return `${textAt(status.pods, 'current.averageValue') || UNKNOWN}/${wanted}`
    }
    case 'Resource':
      return resource(fieldsOf(metric.resource), fieldsOf(status.resource))
    case 'ContainerResource':
      return resource(fieldsOf(metric.containerResource), fieldsOf(status.containerResource))
    default:
      return '<unknown type>'
  }
}

function amount({ target: wanted }: Fields, { current }: Fields): string {
  const average = textAt(wanted, 'averageValue')
  if (average !== '') return `${textAt(current, 'averageValue') || UNKNOWN}/${average} (avg)`
  return `${textAt(current, 'value') || UNKNOWN}/${textAt(wanted, 'value')}`
}

function resource({ name: which, target: wanted }: Fields, { current }: Fields): string {
  const average = textAt(wanted, 'averageValue')
  if (average !== '') return `${textOf(which)}: ${textAt(current, 'averageValue') || UNKNOWN}/${average}`
  const now = valueAt(current, 'averageUtilization')
  const goal = valueAt(wanted, 'averageUtilization')
  const seen = now === undefined ? UNKNOWN : `${now}%`
  return `${textOf(which)}: ${seen}/${goal === undefined ? '<auto>' : `${goal}%`}`
}
