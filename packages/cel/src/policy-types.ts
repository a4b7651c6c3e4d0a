// The types of the variables that a policy has besides its objects, as Kubernetes declares them.

import {
  boolType,
  type CelType,
  dynType,
  intType,
  listOf,
  mapOf,
  objectType,
  stringType,
  timestampType,
} from './types/cel-type.ts'

const texts = listOf(stringType)
const textsByName = mapOf(stringType, stringType)

function allTexts(...names: string[]): Record<string, CelType> {
  return Object.fromEntries(names.map((name) => [name, stringType]))
}

const kindType = objectType('kubernetes.GroupVersionKind', allTexts('group', 'version', 'kind'))
const resourceType = objectType('kubernetes.GroupVersionResource', allTexts('group', 'version', 'resource'))

const userType = objectType('kubernetes.UserInfo', {
  username: stringType,
  uid: stringType,
  groups: texts,
  extra: mapOf(stringType, texts),
})

/** Of the variable `request`. */
export const requestType = objectType('kubernetes.AdmissionRequest', {
  kind: kindType,
  resource: resourceType,
  subResource: stringType,
  requestKind: kindType,
  requestResource: resourceType,
  requestSubResource: stringType,
  name: stringType,
  namespace: stringType,
  operation: stringType,
  userInfo: userType,
  dryRun: boolType,
  options: dynType,
})

const metadataType = objectType('kubernetes.NamespaceMetadata', {
  ...allTexts('name', 'generateName', 'namespace', 'UID', 'resourceVersion'),
  labels: textsByName,
  annotations: textsByName,
  creationTimestamp: timestampType,
  deletionGracePeriodSeconds: intType,
  deletionTimestamp: timestampType,
  generation: intType,
  finalizers: texts,
})

const conditionType = objectType('kubernetes.NamespaceCondition', {
  ...allTexts('status', 'type', 'message', 'reason'),
  lastTransitionTime: timestampType,
})

/** Of the variable `namespaceObject`. */
export const namespaceType = objectType('kubernetes.Namespace', {
  metadata: metadataType,
  spec: objectType('kubernetes.NamespaceSpec', { finalizers: texts }),
  status: objectType('kubernetes.NamespaceStatus', { conditions: listOf(conditionType), phase: stringType }),
})
