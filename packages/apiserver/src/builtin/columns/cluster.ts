// Tables of cluster-level kinds: networking, storage, permissions, admission and others.

import { humanDuration, isObject, type KubeObject } from '@homeostat/meta'
import { selectorText } from '../../registry/selector-text.ts'
import { fieldsOf, listOf, textOf } from '../fields-of.ts'
import {
  age,
  type Cell,
  type Cells,
  count,
  flag,
  NONE,
  name,
  number,
  selector,
  shortened,
  text,
  textAt,
  UNSET,
  valueAt,
} from './cells.ts'
import { loadBalancerAddresses } from './service.ts'

const role: Cell = (object) => `${textAt(object, 'roleRef.kind')}/${textAt(object, 'roleRef.name')}`
const binding: Cells = [
  name,
  role,
  age,
  (object) => subjects(object, 'User'),
  (object) => subjects(object, 'Group'),
  (object) => subjects(object, 'ServiceAccount'),
]
const webhooks: Cells = [name, count('webhooks'), age]

export const CLUSTER_CELLS: Readonly<Record<string, Cells>> = {
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': webhooks,
  'admissionregistration.k8s.io/validatingadmissionpolicies': [
    name,
    count('spec.validations'),
    (object) => {
      const kind = valueAt(object, 'spec.paramKind')
      return isObject(kind) ? `${textOf(kind.apiVersion)}/${textOf(kind.kind)}` : UNSET
    },
    age,
  ],
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': [name, text('spec.policyName'), paramRef, age],
  'admissionregistration.k8s.io/validatingwebhookconfigurations': webhooks,
  'apiregistration.k8s.io/apiservices': [name, apiService, apiAvailable, age],
  'certificates.k8s.io/certificatesigningrequests': [
    name,
    age,
    text('spec.signerName', NONE),
    text('spec.username'),
    (object) => {
      const seconds = valueAt(object, 'spec.expirationSeconds')
      return typeof seconds === 'number' ? humanDuration(seconds * 1000) : NONE
    },
    requestCondition,
  ],
  'coordination.k8s.io/leases': [name, text('spec.holderIdentity'), age],
  'discovery.k8s.io/endpointslices': [name, text('addressType'), slicePorts, sliceEndpoints, age],
  'flowcontrol.apiserver.k8s.io/flowschemas': [
    name,
    text('spec.priorityLevelConfiguration.name'),
    number('spec.matchingPrecedence'),
    text('spec.distinguisherMethod.type', NONE),
    age,
    (object) => {
      const conditions = listOf(valueAt(object, 'status.conditions')).map(fieldsOf)
      return textOf(conditions.find(({ type }) => type === 'Dangling')?.status) || '?'
    },
  ],
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': [
    name,
    text('spec.type'),
    orNone('spec.limited.nominalConcurrencyShares'),
    orNone('spec.limited.limitResponse.queuing.queues'),
    orNone('spec.limited.limitResponse.queuing.handSize'),
    orNone('spec.limited.limitResponse.queuing.queueLengthLimit'),
    age,
  ],
  'networking.k8s.io/ingressclasses': [name, text('spec.controller'), classParameters, age],
  'networking.k8s.io/ingresses': [
    name,
    text('spec.ingressClassName', NONE),
    ingressHosts,
    (object) => loadBalancerAddresses(object).join(','),
    (object) => (listOf(valueAt(object, 'spec.tls')).length > 0 ? '80, 443' : '80'),
    age,
  ],
  'networking.k8s.io/ipaddresses': [name, parentRef],
  'networking.k8s.io/networkpolicies': [name, selector('spec.podSelector'), age],
  'networking.k8s.io/servicecidrs': [name, (object) => listOf(valueAt(object, 'spec.cidrs')).join(','), age],
  'node.k8s.io/runtimeclasses': [name, text('handler'), age],
  'rbac.authorization.k8s.io/clusterrolebindings': binding,
  'rbac.authorization.k8s.io/rolebindings': binding,
  'resource.k8s.io/resourceclaims': [name, claimState, age],
  'resource.k8s.io/resourceslices': [
    name,
    text('spec.nodeName', NONE),
    text('spec.driver'),
    text('spec.pool.name'),
    age,
  ],
  'scheduling.k8s.io/priorityclasses': [name, number('value'), flag('globalDefault'), age, text('preemptionPolicy')],
  'storage.k8s.io/csidrivers': [
    name,
    flag('spec.attachRequired', true),
    flag('spec.podInfoOnMount'),
    flag('spec.storageCapacity'),
    (object) => {
      const requests = valueAt(object, 'spec.tokenRequests')
      return Array.isArray(requests) ? requests.map((request) => textAt(request, 'audience')).join(',') : UNSET
    },
    flag('spec.requiresRepublish'),
    (object) => listOf(valueAt(object, 'spec.volumeLifecycleModes')).join(',') || NONE,
    age,
  ],
  'storage.k8s.io/csinodes': [name, count('spec.drivers'), age],
  'storage.k8s.io/csistoragecapacities': [name, text('storageClassName'), text('capacity', UNSET)],
  'storage.k8s.io/storageclasses': [
    storageClassName,
    text('provisioner'),
    text('reclaimPolicy', 'Delete'),
    text('volumeBindingMode', 'Immediate'),
    flag('allowVolumeExpansion'),
    age,
  ],
  'storage.k8s.io/volumeattachments': [
    name,
    text('spec.attacher'),
    text('spec.source.persistentVolumeName'),
    text('spec.nodeName'),
    flag('status.attached'),
    age,
  ],
  'storage.k8s.io/volumeattributesclasses': [name, text('driverName'), age],
}

function orNone(path: string): Cell {
  return (object) => valueAt(object, path) ?? NONE
}

function subjects(object: KubeObject, kind: string): string {
  return listOf(object.subjects)
    .map(fieldsOf)
    .filter((subject) => subject.kind === kind)
    .map(({ name: who, namespace }) =>
      kind === 'ServiceAccount' ? `${textOf(namespace)}/${textOf(who)}` : textOf(who),
    )
    .join(', ')
}

function paramRef(object: KubeObject): string {
  const reference = valueAt(object, 'spec.paramRef')
  if (!isObject(reference)) return UNSET
  if (reference.name) return `${textOf(reference.namespace) || '*'}/${textOf(reference.name)}`
  return selectorText(reference.selector) || UNSET
}

function apiService(object: KubeObject): string {
  const service = valueAt(object, 'spec.service')
  return isObject(service) ? `${textOf(service.namespace)}/${textOf(service.name)}` : 'Local'
}

function apiAvailable(object: KubeObject): string {
  const conditions = listOf(valueAt(object, 'status.conditions')).map(fieldsOf)
  const available = conditions.find(({ type }) => type === 'Available')
  if (!available) return 'Unknown'
  return available.status === 'True' ? 'True' : `${textOf(available.status)} (${textOf(available.reason)})`
}

function requestCondition(object: KubeObject): string {
  const types = listOf(valueAt(object, 'status.conditions')).map((condition) => textAt(condition, 'type'))
  const decision = types.includes('Denied') ? 'Denied' : types.includes('Approved') ? 'Approved' : 'Pending'
  const issued = textAt(object, 'status.certificate') === '' ? '' : ',Issued'
  return `${decision}${types.includes('Failed') ? ',Failed' : ''}${issued}`
}

function slicePorts(object: KubeObject): string {
  const ports = listOf(object.ports).map((port) => String(valueAt(port, 'port') ?? valueAt(port, 'name') ?? '*'))
  return shortened(ports, 3) || UNSET
}

function sliceEndpoints(object: KubeObject): string {
  const addresses = listOf(object.endpoints).flatMap((endpoint) => listOf(fieldsOf(endpoint).addresses).map(textOf))
  return shortened(addresses, 3) || UNSET
}

function classParameters(object: KubeObject): string {
  const parameters = valueAt(object, 'spec.parameters')
  if (!isObject(parameters)) return NONE
  const group = typeof parameters.apiGroup === 'string' ? `.${parameters.apiGroup}` : ''
  return `${textOf(parameters.kind)}${group}/${textOf(parameters.name)}`
}

/** The number of omitted entries counts rules and not hosts, as kubectl shows it. */
function ingressHosts(object: KubeObject): string {
  const rules = listOf(valueAt(object, 'spec.rules'))
  const hosts = rules.map((rule) => textAt(rule, 'host')).filter(Boolean)
  const shown = hosts.slice(0, 3)
  if (shown.length === 0) return '*'
  const full = rules.findIndex((_, index) => rules.slice(0, index).filter((rule) => textAt(rule, 'host')).length === 3)
  return shown.join(',') + (full < 0 ? '' : ` + ${rules.length - 3} more...`)
}

function parentRef(object: KubeObject): string {
  const parent = valueAt(object, 'spec.parentRef')
  if (!isObject(parent)) return NONE
  const group = textOf(parent.group) === '' ? '' : `.${textOf(parent.group)}`
  const namespace = textOf(parent.namespace) === '' ? '' : `/${textOf(parent.namespace)}`
  const resource = `${textOf(parent.resource)}${group}`.toLowerCase()
  return `${resource}${namespace}/${textOf(parent.name)}`
}

const DEFAULT_CLASS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
]

function storageClassName({ metadata }: KubeObject): string {
  const standard = DEFAULT_CLASS.some((annotation) => metadata.annotations?.[annotation] === 'true')
  return `${metadata.name ?? ''}${standard ? ' (default)' : ''}`
}

/** Whether devices are allocated for a claim, and whether a pod uses them. */
function claimState({ metadata, status }: KubeObject): string {
  const { allocation, reservedFor } = fieldsOf(status)
  const states = [
    ...(metadata.deletionTimestamp ? ['deleted'] : []),
    ...(allocation === undefined ? (metadata.deletionTimestamp ? [] : ['pending']) : ['allocated']),
    ...(listOf(reservedFor).length > 0 ? ['reserved'] : []),
  ]
  return states.join(',')
}
