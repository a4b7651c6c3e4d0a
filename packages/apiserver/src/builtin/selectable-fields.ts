// The fields of built-in kinds that a fieldSelector may name, and how each is read from the stored object.

import type { KubeObject } from '@homeostat/meta'
import type { ResourceType } from '../registry/resource-type.ts'
import { fieldsOf, listOf, textOf } from './fields-of.ts'

type SelectableFields = ResourceType['selectableFields']
type Read = (object: KubeObject) => string

const REFERENCE = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath']

/** By `group/resource`. */
export const SELECTABLE: Readonly<Record<string, SelectableFields>> = {
  'batch/jobs': { 'status.successful': (job) => String(fieldsOf(job.status).succeeded ?? 0) },
  'certificates.k8s.io/certificatesigningrequests': { 'spec.signerName': text('spec', 'signerName') },
  'core/events': events('involvedObject', 'reportingComponent'),
  'core/namespaces': { 'status.phase': text('status', 'phase') },
  'core/nodes': { 'spec.unschedulable': flag('spec', 'unschedulable') },
  'core/pods': {
    'spec.nodeName': text('spec', 'nodeName'),
    'spec.host': text('spec', 'nodeName'),
    'spec.restartPolicy': text('spec', 'restartPolicy'),
    'spec.schedulerName': text('spec', 'schedulerName'),
    'spec.serviceAccountName': text('spec', 'serviceAccountName'),
    'spec.hostNetwork': flag('spec', 'hostNetwork'),
    'status.phase': text('status', 'phase'),
    'status.podIP': podAddress,
    'status.podIPs': podAddress,
    'status.nominatedNodeName': text('status', 'nominatedNodeName'),
  },
  'core/replicationcontrollers': { 'status.replicas': (object) => String(fieldsOf(object.status).replicas ?? 0) },
  'core/secrets': { type: (object) => textOf(object.type) },
  'core/services': { 'spec.clusterIP': text('spec', 'clusterIP'), 'spec.type': text('spec', 'type') },
  'events.k8s.io/events': events('regarding', 'reportingController'),
}

function text(part: 'spec' | 'status', field: string): Read {
  return (object) => textOf(fieldsOf(object[part])[field])
}

function flag(part: 'spec' | 'status', field: string): Read {
  return (object) => String(fieldsOf(object[part])[field] === true)
}

function podAddress(pod: KubeObject): string {
  const status = fieldsOf(pod.status)
  return textOf(fieldsOf(listOf(status.podIPs)[0]).ip) || textOf(status.podIP)
}

/** Both APIs of events read the stored form, which is the core group's. */
function events(reference: string, reporter: string): SelectableFields {
  const fields: Record<string, Read> = {}
  for (const field of REFERENCE) {
    fields[`${reference}.${field}`] = (event) => textOf(fieldsOf(event.involvedObject)[field])
  }
  fields[reporter] = (event) => textOf(event.reportingComponent)
  for (const field of ['reason', 'type']) fields[field] = (event) => textOf(event[field])
  if (reference === 'involvedObject') {
    fields.source = (event) => textOf(fieldsOf(event.source).component) || textOf(event.reportingComponent)
  }
  return fields
}
