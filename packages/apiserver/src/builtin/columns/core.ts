// Tables of the core group.

import type { KubeObject } from '@homeostat/meta'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import {
  age,
  type Cell,
  type Cells,
  containers,
  labels,
  NONE,
  name,
  number,
  numberAt,
  shortened,
  text,
  textAt,
  UNKNOWN,
  UNSET,
  valueAt,
} from './cells.ts'
import { EVENT_CELLS } from './event.ts'
import { POD_CELLS } from './pod.ts'
import { SERVICE_CELLS } from './service.ts'

export const CORE_CELLS: Readonly<Record<string, Cells>> = {
  'core/componentstatuses': [name, componentHealth, component('message'), component('error')],
  'core/configmaps': [
    name,
    (object) => Object.keys(fieldsOf(object.data)).length + Object.keys(fieldsOf(object.binaryData)).length,
    age,
  ],
  'core/endpoints': [name, endpoints, age],
  'core/events': EVENT_CELLS,
  'core/namespaces': [name, text('status.phase'), age],
  'core/nodes': [
    name,
    nodeStatus,
    nodeRoles,
    age,
    text('status.nodeInfo.kubeletVersion'),
    (node) => nodeAddress(node, 'InternalIP'),
    (node) => nodeAddress(node, 'ExternalIP'),
    text('status.nodeInfo.osImage', UNKNOWN),
    text('status.nodeInfo.kernelVersion', UNKNOWN),
    text('status.nodeInfo.containerRuntimeVersion', UNKNOWN),
  ],
  'core/persistentvolumeclaims': [
    name,
    phase,
    text('spec.volumeName'),
    (claim) => (textAt(claim, 'spec.volumeName') === '' ? '' : textAt(claim, 'status.capacity.storage') || '0'),
    (claim) => (textAt(claim, 'spec.volumeName') === '' ? '' : accessModes(valueAt(claim, 'status.accessModes'))),
    storageClass,
    text('spec.volumeAttributesClassName', UNSET),
    age,
    text('spec.volumeMode', UNSET),
  ],
  'core/persistentvolumes': [
    name,
    text('spec.capacity.storage', '0'),
    (volume) => accessModes(valueAt(volume, 'spec.accessModes')),
    text('spec.persistentVolumeReclaimPolicy'),
    phase,
    (volume) => {
      const claim = fieldsOf(valueAt(volume, 'spec.claimRef'))
      return claim.name === undefined ? '' : `${textOf(claim.namespace)}/${textOf(claim.name)}`
    },
    storageClass,
    text('spec.volumeAttributesClassName', UNSET),
    text('status.reason'),
    age,
    text('spec.volumeMode', UNSET),
  ],
  'core/pods': POD_CELLS,
  'core/podtemplates': [name, ...containers('template.spec.containers'), labels('template.metadata.labels')],
  'core/replicationcontrollers': [
    name,
    number('spec.replicas'),
    number('status.replicas'),
    number('status.readyReplicas'),
    age,
    ...containers('spec.template.spec.containers'),
    labels('spec.selector'),
  ],
  'core/resourcequotas': [name, (quota) => quotaText(quota, false), (quota) => quotaText(quota, true), age],
  'core/secrets': [name, text('type'), (object) => Object.keys(fieldsOf(object.data)).length, age],
  'core/services': SERVICE_CELLS,
}

function endpoints(object: KubeObject): string {
  const subsets = listOf(object.subsets).map(fieldsOf)
  if (subsets.length === 0) return NONE
  const all = subsets.flatMap((subset) => {
    const addresses = listOf(subset.addresses).map((address) => textAt(address, 'ip'))
    const ports = listOf(subset.ports).map((port) => numberAt(port, 'port'))
    if (ports.length === 0) return addresses
    return ports.flatMap((port) => addresses.map((ip) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)))
  })
  return shortened(all, 3)
}

function nodeStatus(node: KubeObject): string {
  const conditions = listOf(valueAt(node, 'status.conditions')).map(fieldsOf)
  const ready = conditions.findLast(({ type }) => type === 'Ready')
  const status = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'
  return valueAt(node, 'spec.unschedulable') === true ? `${status},SchedulingDisabled` : status
}

const ROLE = 'node-role.kubernetes.io/'

function nodeRoles({ metadata }: KubeObject): string {
  const roles = Object.entries(metadata.labels ?? {}).map(([key, value]) => {
    if (key.startsWith(ROLE)) return key.slice(ROLE.length)
    return key === 'kubernetes.io/role' ? value : ''
  })
  return [...new Set(roles.filter(Boolean))].sort().join(',') || NONE
}

function nodeAddress(node: KubeObject, type: string): string {
  const addresses = listOf(valueAt(node, 'status.addresses')).map(fieldsOf)
  return textOf(addresses.find((address) => address.type === type)?.address) || NONE
}

function phase(object: KubeObject): string {
  return object.metadata.deletionTimestamp === undefined ? textAt(object, 'status.phase') : 'Terminating'
}

const MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
}

/** Access modes always appear in the order of the table above. */
function accessModes(modes: unknown): string {
  const given = listOf(modes)
  return Object.keys(MODES)
    .filter((mode) => given.includes(mode))
    .map((mode) => MODES[mode])
    .join(',')
}

function storageClass(object: KubeObject): string {
  const annotation = object.metadata.annotations?.['volume.beta.kubernetes.io/storage-class']
  return annotation ?? textAt(object, 'spec.storageClassName')
}

function quotaText(quota: KubeObject, limits: boolean): string {
  const { hard, used } = fieldsOf(quota.status)
  return Object.keys(fieldsOf(hard))
    .filter((resource) => resource.startsWith('limits.') === limits)
    .sort()
    .map((resource) => `${resource}: ${textOf(fieldsOf(used)[resource]) || '0'}/${textOf(fieldsOf(hard)[resource])}`)
    .join(', ')
}

function componentHealth(object: KubeObject): string {
  const status = textOf(healthyCondition(object).status)
  return status === 'True' ? 'Healthy' : status === 'False' ? 'Unhealthy' : 'Unknown'
}

function component(field: 'message' | 'error'): Cell {
  return (object) => textOf(healthyCondition(object)[field])
}

function healthyCondition(object: KubeObject): Fields {
  return (
    listOf(object.conditions)
      .map(fieldsOf)
      .find(({ type }) => type === 'Healthy') ?? {}
  )
}
