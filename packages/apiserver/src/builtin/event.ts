// Event: something that happened to an object. Old-style events have timestamps and a count; events with an eventTime
// follow newer, stricter rules.

import { type KubeObject, qualifiedName } from '@homeostat/meta'
import { type Cause, invalidValue, required } from '@homeostat/meta/server'
import { fieldsOf, textOf } from './fields-of.ts'
import type { KindRules } from './schema-strategy.ts'

const MAX_MESSAGE = 1024
const MAX_WORD = 128

export const eventRules: Partial<KindRules> = { dependents: 'ignored', validate }

function validate(event: KubeObject): Cause[] {
  const namespace = event.metadata.namespace ?? ''
  const involved = textOf(fieldsOf(event.involvedObject).namespace)
  const mismatch = invalidValue('involvedObject.namespace', involved, 'does not match event.namespace')
  if (event.eventTime === undefined || event.eventTime === null) {
    // Events about cluster-scoped objects live in `default`.
    return namespace === (involved || 'default') ? [] : [mismatch]
  }
  const causes = involved === '' && namespace !== 'default' && namespace !== 'kube-system' ? [mismatch] : []
  const component = textOf(event.reportingComponent)
  if (component === '') causes.push(required('reportingComponent', ''))
  for (const message of qualifiedName(component)) causes.push(invalidValue('reportingComponent', component, message))
  for (const field of ['reportingInstance', 'action', 'reason']) {
    const value = textOf(event[field])
    if (value === '') causes.push(required(field, ''))
    if (value.length > MAX_WORD) causes.push(invalidValue(field, value, `can have at most ${MAX_WORD} characters`))
  }
  if (textOf(event.message).length > MAX_MESSAGE) {
    causes.push(invalidValue('message', '', `can have at most ${MAX_MESSAGE} characters`))
  }
  return causes
}
