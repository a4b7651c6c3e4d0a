// Rules of StatefulSet: pods with names and storage of their own.

import { deepEqual, dns1123Label, isObject, type KubeObject } from '@homeostat/meta'
import { type Cause, forbiddenField, invalidValue, notSupported, required } from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import type { KindRules } from '../schema-strategy.ts'
import { claimSpecErrors } from './claim-spec-checks.ts'
import {
  amountOf,
  atMostAllPercent,
  dnsLabel,
  ensure,
  fill,
  fillMissing,
  isSet,
  items,
  nonNegative,
  nonNegativeFields,
  numberOrPercent,
  structs,
} from './field-checks.ts'
import { labelErrors, selectorOf } from './label-checks.ts'
import { defaultClaimSpec } from './pod-spec-defaults.ts'
import { annotationErrors, defaultTemplate, selectsTemplate, templateErrors } from './pod-template.ts'
import { alwaysRestarted, statusCountErrors, workloadSelectorErrors } from './workload-checks.ts'

export const statefulSetRules: Partial<KindRules> = {
  nameErrors: dns1123Label,
  applyDefaults(set) {
    const spec = ensure(set, 'spec')
    fill(spec, 'podManagementPolicy', 'OrderedReady')
    const strategy = ensure(spec, 'updateStrategy')
    if (textOf(strategy.type) === '') {
      strategy.type = 'RollingUpdate'
      ensure(strategy, 'rollingUpdate')
    }
    if (strategy.type === 'RollingUpdate' && isObject(strategy.rollingUpdate)) {
      fillMissing(strategy.rollingUpdate, 'partition', 0)
    }
    const retention = ensure(spec, 'persistentVolumeClaimRetentionPolicy')
    fill(retention, 'whenDeleted', 'Retain')
    fill(retention, 'whenScaled', 'Retain')
    fillMissing(spec, 'replicas', 1)
    fillMissing(spec, 'revisionHistoryLimit', 10)
    defaultTemplate(spec)
    for (const claim of structs(spec, 'volumeClaimTemplates')) {
      fill(claim, 'apiVersion', 'v1')
      fill(claim, 'kind', 'PersistentVolumeClaim')
      defaultClaimSpec(ensure(claim, 'spec'))
      fill(ensure(claim, 'status'), 'phase', 'Pending')
    }
  },
  validate: (set) => [...specErrors(fieldsOf(set.spec)), ...newSpecErrors(fieldsOf(set.spec))],
  validateUpdate: updateErrors,
}

function updateErrors(set: KubeObject, old: KubeObject): Cause[] {
  const [spec, before] = [fieldsOf(set.spec), fieldsOf(old.spec)]
  const causes = specErrors(spec)
  const keys = new Set([...Object.keys(spec), ...Object.keys(before)])
  const frozen = [...keys].filter((key) => !CHANGEABLE.includes(key))
  if (frozen.some((key) => !deepEqual(spec[key] ?? null, before[key] ?? null))) {
    const list = CHANGEABLE.map((key) => `'${key}'`).join(', ')
    causes.push(forbiddenField('spec', `updates to statefulset spec for fields other than ${list} are forbidden`))
  }
  return [
    ...causes,
    ...statusCountErrors(set.status, COUNTERS, [
      'readyReplicas',
      'currentReplicas',
      'updatedReplicas',
      'availableReplicas',
    ]),
  ]
}

const CHANGEABLE = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]
const COUNTERS = [
  'replicas',
  'readyReplicas',
  'currentReplicas',
  'updatedReplicas',
  'availableReplicas',
  'observedGeneration',
  'collisionCount',
]

/** These fields are immutable, so that only a create is checked. */
function newSpecErrors(spec: Fields): Cause[] {
  return [
    ...items(spec.volumeClaimTemplates, 'spec.volumeClaimTemplates').flatMap((one) =>
      claimSpecErrors(fieldsOf(one.item.spec), `${one.path}.spec`),
    ),
    ...(textOf(spec.serviceName) === '' ? [] : dnsLabel('spec.serviceName', spec.serviceName)),
  ]
}

function specErrors(spec: Fields): Cause[] {
  const policy = textOf(spec.podManagementPolicy)
  const causes: Cause[] = []
  if (policy === '') causes.push(required('spec.podManagementPolicy'))
  else if (!['OrderedReady', 'Parallel'].includes(policy)) {
    causes.push(invalidValue('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'"))
  }
  causes.push(...strategyErrors(fieldsOf(spec.updateStrategy)))
  const retention = fieldsOf(spec.persistentVolumeClaimRetentionPolicy)
  for (const key of ['whenDeleted', 'whenScaled']) {
    if (['Retain', 'Delete'].includes(textOf(retention[key]))) continue
    const path = `spec.persistentVolumeClaimRetentionPolicy.${key}`
    causes.push(notSupported(path, retention[key], ['Retain', 'Delete']))
  }
  return [
    ...causes,
    ...nonNegativeFields(spec, 'spec', ['replicas', 'minReadySeconds']),
    ...(isObject(spec.ordinals) ? nonNegative('spec.ordinals.start', spec.ordinals.start) : []),
    ...workloadSelectorErrors(spec, 'spec', 'statefulset'),
    ...setTemplateErrors(spec),
  ]
}

function setTemplateErrors(spec: Fields): Cause[] {
  const template = fieldsOf(spec.template)
  const restarts = alwaysRestarted(template, 'spec.template', 'StatefulSet')
  if (isObject(spec.selector) && !selectorOf(spec.selector)) return restarts
  const { labels, annotations } = fieldsOf(template.metadata)
  return [
    ...selectsTemplate(spec.selector, template, 'spec.template'),
    ...templateErrors(withClaims(template, spec), 'spec.template'),
    ...labelErrors('spec.template.labels', labels),
    ...annotationErrors(annotations, 'spec.template.annotations'),
    ...restarts,
  ]
}

/** Pods can mount the claims that the set creates for them; the set assigns host names. */
function withClaims(template: Fields, spec: Fields): Fields {
  const claims = items(spec.volumeClaimTemplates, '').map(({ item }) => {
    const name = textOf(fieldsOf(item.metadata).name)
    return { name, persistentVolumeClaim: { claimName: name } }
  })
  const { subdomain: _subdomain, hostname: _hostname, ...podSpec } = fieldsOf(template.spec)
  const names = new Set(claims.map(({ name }) => name))
  const others = listOf(podSpec.volumes).filter((volume) => !names.has(textOf(fieldsOf(volume).name)))
  const unique = [...new Map(claims.map((claim) => [claim.name, claim])).values()]
  return { ...template, spec: claims.length === 0 ? podSpec : { ...podSpec, volumes: [...unique, ...others] } }
}

function strategyErrors(strategy: Fields): Cause[] {
  const path = 'spec.updateStrategy'
  const rolling = strategy.rollingUpdate
  if (strategy.type === 'OnDelete') {
    const detail = "only allowed for updateStrategy 'RollingUpdate'"
    return isSet(rolling) ? [invalidValue(`${path}.rollingUpdate`, rolling, detail)] : []
  }
  if (strategy.type !== 'RollingUpdate') {
    return [invalidValue(path, strategy, "must be 'RollingUpdate' or 'OnDelete'")]
  }
  if (!isObject(rolling)) return []
  const at = `${path}.rollingUpdate.maxUnavailable`
  const causes = nonNegative(`${path}.rollingUpdate.partition`, rolling.partition)
  if (!isSet(rolling.maxUnavailable)) return causes
  causes.push(...numberOrPercent(at, rolling.maxUnavailable))
  if (amountOf(rolling.maxUnavailable) === 0) causes.push(invalidValue(at, rolling.maxUnavailable, 'cannot be 0'))
  return [...causes, ...atMostAllPercent(at, rolling.maxUnavailable)]
}
