// Converts the metrics of an autoscaler between autoscaling/v2 (nested) and the annotations of v1 (flat).

import { type Fields, fieldsOf } from '../fields-of.ts'

export function metricToV1({ type, ...sources }: Fields): Fields {
  const out: Fields = { type }
  for (const [source, value] of Object.entries(sources)) out[source] = specToV1(source, fieldsOf(value))
  return out
}

export function metricFromV1({ type, ...sources }: Fields): Fields {
  const out: Fields = { type }
  for (const [source, value] of Object.entries(sources)) out[source] = specFromV1(source, fieldsOf(value))
  return out
}

export function metricStatusToV1({ type, ...sources }: Fields): Fields {
  const out: Fields = { type }
  for (const [source, value] of Object.entries(sources)) out[source] = statusToV1(source, fieldsOf(value))
  return out
}

export function metricStatusFromV1({ type, ...sources }: Fields): Fields {
  const out: Fields = { type }
  for (const [source, value] of Object.entries(sources)) out[source] = statusFromV1(source, fieldsOf(value))
  return out
}

function specToV1(source: string, { metric, target, describedObject, name, container }: Fields): Fields {
  const { name: metricName, selector } = fieldsOf(metric)
  const { value, averageValue, averageUtilization } = fieldsOf(target)
  switch (source) {
    case 'object':
      return known({
        target: reference(describedObject),
        metricName,
        targetValue: value ?? '0',
        selector,
        averageValue,
      })
    case 'pods':
      return known({ metricName, targetAverageValue: averageValue, selector })
    case 'external':
      return known({ metricName, metricSelector: selector, targetValue: value, targetAverageValue: averageValue })
    default:
      return known({
        name,
        targetAverageUtilization: averageUtilization,
        targetAverageValue: averageValue,
        container,
      })
  }
}

function specFromV1(source: string, flat: Fields): Fields {
  const { metricName, targetValue, targetAverageValue, targetAverageUtilization, averageValue } = flat
  const average = averageValue ?? targetAverageValue
  switch (source) {
    case 'object': {
      const byAverage = average !== undefined
      const target = byAverage ? { type: 'AverageValue', averageValue: average } : { type: 'Value', value: targetValue }
      return { describedObject: flat.target, metric: known({ name: metricName, selector: flat.selector }), target }
    }
    case 'pods': {
      const target = { type: 'AverageValue', averageValue: average }
      return { metric: known({ name: metricName, selector: flat.selector }), target }
    }
    case 'external': {
      const type = targetValue === undefined ? 'AverageValue' : 'Value'
      const target = known({ type, value: targetValue, averageValue: average })
      return { metric: known({ name: metricName, selector: flat.metricSelector }), target }
    }
    default: {
      const type = targetAverageUtilization === undefined ? 'AverageValue' : 'Utilization'
      const target = known({ type, averageValue: average, averageUtilization: targetAverageUtilization })
      return known({ name: flat.name, container: flat.container, target })
    }
  }
}

function statusToV1(source: string, { metric, current, describedObject, name, container }: Fields): Fields {
  const { name: metricName, selector } = fieldsOf(metric)
  const { value, averageValue, averageUtilization } = fieldsOf(current)
  switch (source) {
    case 'object':
      return known({
        target: reference(describedObject),
        metricName,
        currentValue: value ?? '0',
        selector,
        averageValue,
      })
    case 'pods':
      return known({ metricName, currentAverageValue: averageValue ?? '0', selector })
    case 'external':
      return known({
        metricName,
        metricSelector: selector,
        currentValue: value ?? '0',
        currentAverageValue: averageValue,
      })
    default:
      return known({
        name,
        currentAverageUtilization: averageUtilization,
        currentAverageValue: averageValue ?? '0',
        container,
      })
  }
}

function statusFromV1(source: string, flat: Fields): Fields {
  const { metricName, selector, metricSelector, currentValue, currentAverageValue, averageValue } = flat
  const current = known({
    value: currentValue,
    averageValue: averageValue ?? currentAverageValue,
    averageUtilization: flat.currentAverageUtilization,
  })
  switch (source) {
    case 'object':
      return { describedObject: flat.target, metric: known({ name: metricName, selector }), current }
    case 'pods':
    case 'external':
      return { metric: known({ name: metricName, selector: selector ?? metricSelector }), current }
    default:
      return known({ name: flat.name, container: flat.container, current })
  }
}

function reference(object: unknown): Fields {
  const { kind, name, apiVersion } = fieldsOf(object)
  return known({ kind, name, apiVersion })
}

function known(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
