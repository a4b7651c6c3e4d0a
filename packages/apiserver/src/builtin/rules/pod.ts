// Rules of Pod: its defaults, its mutable fields, and the grace period of its deletion.

import { deepClone, deepEqual, isObject, type KubeObject } from '@homeostat/meta'
import { type Cause, forbiddenField, invalidValue, required } from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import type { KindRules } from '../schema-strategy.ts'
import { ensure, fill, fillMissing, isSet, items, numberOf, structs } from './field-checks.ts'
import { qosClass } from './pod-qos.ts'
import { defaultPodRequests } from './pod-resources.ts'
import { imageSpaceErrors, podSpecErrors } from './pod-spec-checks.ts'
import { defaultPodSpec } from './pod-spec-defaults.ts'
import { onlyAddedTolerations, onlyRemovedGates } from './scheduling-checks.ts'
import { SYSTEM_PRIORITIES } from './scheduling-classes.ts'

export const podRules: Partial<KindRules> = {
  prepareForCreate(pod) {
    const spec = ensure(pod, 'spec')
    defaultPodSpec(spec)
    admit(spec)
    pod.status = { phase: 'Pending', qosClass: qosClass(withRequests(spec)) }
    if (listOf(spec.schedulingGates).length > 0) {
      const message = 'Scheduling is blocked due to non-empty scheduling gates'
      ensure(pod, 'status').conditions = [
        {
          type: 'PodScheduled',
          status: 'False',
          lastProbeTime: null,
          lastTransitionTime: pod.metadata.creationTimestamp ?? null,
          reason: 'SchedulingGated',
          message,
        },
      ]
    }
  },
  prepareForUpdate(pod, old) {
    const [spec, before] = [ensure(pod, 'spec'), fieldsOf(old.spec)]
    for (const key of ADMITTED) if (isSet(before[key])) fillMissing(spec, key, before[key])
    tolerateNodes(spec)
  },
  applyDefaults: defaultPod,
  validate: (pod) => [...podErrors(pod), ...createOnlyErrors(pod)],
  validateUpdate: updateErrors,
  deletionGrace: (pod, { gracePeriodSeconds }) => deletionGrace(pod, gracePeriodSeconds),
}

function defaultPod(pod: KubeObject): void {
  const spec = ensure(pod, 'spec')
  defaultPodSpec(spec)
  withRequests(spec)
  fillMissing(spec, 'enableServiceLinks', true)
  if (spec.hostNetwork !== true) return
  for (const container of [...structs(spec, 'containers'), ...structs(spec, 'initContainers')]) {
    for (const port of structs(container, 'ports')) fill(port, 'hostPort', port.containerPort)
  }
}

/** Fills in missing requests with the limits. */
function withRequests(spec: Fields): Fields {
  for (const container of [...structs(spec, 'containers'), ...structs(spec, 'initContainers')]) {
    const { resources } = container
    if (!isObject(resources) || !isObject(resources.limits)) continue
    const requests = { ...fieldsOf(resources.requests) }
    for (const [name, value] of Object.entries(resources.limits)) if (!isSet(requests[name])) requests[name] = value
    if (Object.keys(requests).length > 0) resources.requests = requests
  }
  defaultPodRequests(spec)
  return spec
}

/** Fields that admission writes: a manifest that replaces the pod need not repeat them. */
const ADMITTED = ['serviceAccountName', 'serviceAccount', 'priority', 'preemptionPolicy']

/** Does what Kubernetes' default admission plugins do to every new pod, except for the token volume. */
function admit(spec: Fields): void {
  fill(spec, 'serviceAccountName', 'default')
  fill(spec, 'serviceAccount', 'default')
  fillMissing(spec, 'priority', SYSTEM_PRIORITIES[textOf(spec.priorityClassName)] ?? 0)
  fillMissing(spec, 'preemptionPolicy', 'PreemptLowerPriority')
  tolerateNodes(spec)
}

/** Pods stay for five minutes on a node that is not ready or unreachable. */
function tolerateNodes(spec: Fields): void {
  for (const key of ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']) {
    const tolerated = structs(spec, 'tolerations').some(
      (one) => ['', key].includes(textOf(one.key)) && ['', 'NoExecute'].includes(textOf(one.effect)),
    )
    if (tolerated) continue
    const toleration = { effect: 'NoExecute', key, operator: 'Exists', tolerationSeconds: 300 }
    spec.tolerations = [...listOf(spec.tolerations), toleration]
  }
}

function podErrors(pod: KubeObject): Cause[] {
  const spec = fieldsOf(pod.spec)
  const name = pod.metadata.name
  return [
    ...podSpecErrors(spec, 'spec', { isPod: true, ...(name ? { podName: name } : {}) }),
    ...['containers', 'initContainers'].flatMap((list) =>
      items(spec[list], `spec.${list}`).flatMap((one) => imageSpaceErrors(one.item, one.path)),
    ),
  ]
}

function createOnlyErrors(pod: KubeObject): Cause[] {
  const spec = fieldsOf(pod.spec)
  const causes: Cause[] = []
  if (listOf(spec.ephemeralContainers).length > 0) {
    causes.push(forbiddenField('spec.ephemeralContainers', 'cannot be set on create'))
  }
  if (textOf(spec.nodeName) !== '' && listOf(spec.schedulingGates).length > 0) {
    causes.push(forbiddenField('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'))
  }
  return causes
}

function updateErrors(pod: KubeObject, old: KubeObject): Cause[] {
  const [spec, before] = [fieldsOf(pod.spec), fieldsOf(old.spec)]
  const causes = podErrors(pod)
  for (const list of ['containers', 'initContainers']) {
    const path = `spec.${list}`
    if (listOf(spec[list]).length !== listOf(before[list]).length) {
      return [...causes, forbiddenField(path, 'pod updates may not add or remove containers')]
    }
    causes.push(...items(spec[list], path).flatMap((one) => imageErrors(one.item, one.path)))
  }
  const deadline = deadlineErrors(spec.activeDeadlineSeconds, before.activeDeadlineSeconds)
  causes.push(...deadline.causes)
  if (deadline.stop) return causes
  causes.push(...onlyAddedTolerations(spec.tolerations, before.tolerations, 'spec.tolerations'))
  causes.push(...onlyRemovedGates(spec.schedulingGates, before.schedulingGates, 'spec.schedulingGates'))
  if (deepEqual(withFrozenPart(spec, before), before)) return causes
  return [...causes, forbiddenField('spec', `pod updates may not change fields other than ${CHANGEABLE.join(',')}`)]
}

function imageErrors(container: Fields, path: string): Cause[] {
  if (textOf(container.image) === '') return [required(`${path}.image`)]
  return imageSpaceErrors(container, path)
}

const CHANGEABLE = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
]

/** activeDeadlineSeconds may only become shorter. */
function deadlineErrors(value: unknown, old: unknown): { causes: Cause[]; stop: boolean } {
  const path = 'spec.activeDeadlineSeconds'
  if (!isSet(value)) {
    const detail = 'must not update from a positive integer to nil value'
    return { causes: isSet(old) ? [invalidValue(path, value, detail)] : [], stop: false }
  }
  const seconds = numberOf(value)
  if (seconds < 0 || seconds > 2 ** 31 - 1) {
    return { causes: [invalidValue(path, value, 'must be between 0 and 2147483647, inclusive')], stop: true }
  }
  if (isSet(old) && numberOf(old) < seconds) {
    return { causes: [invalidValue(path, value, 'must be less than or equal to previous value')], stop: true }
  }
  return { causes: [], stop: false }
}

/** The new spec with the mutable fields of the old one: the result must equal the old spec. */
function withFrozenPart(spec: Fields, old: Fields): Fields {
  const frozen = deepClone(spec)
  for (const list of ['containers', 'initContainers', 'ephemeralContainers']) {
    const before = structs(old, list)
    for (const [index, container] of structs(frozen, list).entries()) copyField(container, before[index] ?? {}, 'image')
  }
  for (const key of ['activeDeadlineSeconds', 'schedulingGates', 'tolerations']) copyField(frozen, old, key)
  const gated = listOf(old.schedulingGates).length > 0
  if (gated) for (const key of ['nodeSelector', 'affinity']) copyField(frozen, old, key)
  if (numberOf(old.terminationGracePeriodSeconds) < 0 && numberOf(frozen.terminationGracePeriodSeconds) === 1) {
    copyField(frozen, old, 'terminationGracePeriodSeconds')
  }
  return frozen
}

function copyField(into: Fields, from: Fields, key: string): void {
  if (isSet(from[key])) into[key] = from[key]
  else delete into[key]
}

/** How many seconds a deletion waits for the kubelet; 0 when no kubelet has the pod. */
export function deletionGrace(pod: KubeObject, asked: number | undefined): number {
  const [spec, phase] = [fieldsOf(pod.spec), textOf(fieldsOf(pod.status).phase)]
  if (textOf(spec.nodeName) === '' || phase === 'Failed' || phase === 'Succeeded') return 0
  const wanted =
    asked ?? (isSet(spec.terminationGracePeriodSeconds) ? numberOf(spec.terminationGracePeriodSeconds) : 30)
  return wanted
}
