// Rules of ReplicationController, the predecessor of ReplicaSet: its selector is a plain map and defaults to the labels
// of the template. Also of ControllerRevision, which holds the history of sets.

import { isObject, type KubeObject } from '@homeostat/meta'
import { type Cause, invalidValue, required } from '@homeostat/meta/server'
import { fieldsOf } from '../fields-of.ts'
import type { KindRules } from '../schema-strategy.ts'
import { ensure, fillMissing, immutable, isSet, nonNegative, nonNegativeFields } from './field-checks.ts'
import { labelsOf } from './label-checks.ts'
import { defaultTemplate, templateErrors } from './pod-template.ts'
import { alwaysRestarted, statusCountErrors } from './workload-checks.ts'

export const replicationControllerRules: Partial<KindRules> = {
  applyDefaults(controller) {
    const spec = ensure(controller, 'spec')
    fillMissing(spec, 'replicas', 1)
    if (!isObject(spec.template)) return
    defaultTemplate(spec)
    const labels = labelsOf(fieldsOf(fieldsOf(spec.template).metadata).labels)
    if (Object.keys(labels).length === 0) return
    if (Object.keys(fieldsOf(spec.selector)).length === 0) spec.selector = { ...labels }
    const { metadata } = controller
    if (Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = { ...labels }
  },
  validate: errors,
  validateUpdate: (controller) => [
    ...errors(controller),
    ...statusCountErrors(controller.status, COUNTERS, ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']),
  ],
}

const COUNTERS = ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration']

function errors(controller: KubeObject): Cause[] {
  const spec = fieldsOf(controller.spec)
  const selector = fieldsOf(spec.selector)
  const causes = nonNegativeFields(spec, 'spec', ['minReadySeconds'])
  if (Object.keys(selector).length === 0) causes.push(required('spec.selector'))
  causes.push(...nonNegativeFields(spec, 'spec', ['replicas']))
  if (!isObject(spec.template)) return [...causes, required('spec.template')]
  const labels = labelsOf(fieldsOf(spec.template.metadata).labels)
  return [
    ...causes,
    ...(Object.entries(selector).every(([key, value]) => labels[key] === value)
      ? []
      : [invalidValue('spec.template.metadata.labels', labels, '`selector` does not match template `labels`')]),
    ...templateErrors(spec.template, 'spec.template'),
    ...alwaysRestarted(spec.template, 'spec.template', 'ReplicationController'),
  ]
}

export const controllerRevisionRules: Partial<KindRules> = {
  validate: (revision) => [...nonNegative('revision', revision.revision), ...dataErrors(revision.data)],
  validateUpdate: (revision, old) => [
    ...nonNegative('revision', revision.revision),
    ...immutable('data', revision.data, old.data),
  ],
}

function dataErrors(data: unknown): Cause[] {
  if (!isSet(data)) return [required('data', 'data is mandatory')]
  return isObject(data) ? [] : [required('data', 'data must be a valid JSON object')]
}
