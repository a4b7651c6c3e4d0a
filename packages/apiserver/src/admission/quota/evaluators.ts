// Which names of a quota limit which resource, and what an object of it uses. Every resource is counted; pods, services and
// claims have amounts of their own.

import { type KubeObject, parseQuantity, type Quantity } from '@homeostat/meta'
import { fieldsOf, listOf, textOf } from '../../builtin/fields-of.ts'
import { isSet, numberOf } from '../../builtin/rules/field-checks.ts'
import { DEVICE_CLASS, deviceUsage } from './device-usage.ts'
import { podUsage } from './pod-usage.ts'
import { type ObjectUsage, ONE } from './usage.ts'

/** Resources of the core group that a quota may name without `count/`. */
const PLAIN_NAMES = ['configmaps', 'replicationcontrollers', 'resourcequotas', 'secrets']

const NO_SCOPES = { scopes: new Set<string>(), values: {} }

/** By where they are stored: resources whose objects differ in what they use. */
const MEASURED: Readonly<Record<string, (object: KubeObject) => ObjectUsage>> = {
  'core/pods': podUsage,
  'core/services': serviceUsage,
  'core/persistentvolumeclaims': claimUsage,
  'resource.k8s.io/resourceclaims': deviceUsage,
}

/** What an object of the resource uses, if that differs between its objects. */
export function measureOf(storage: string): ((object: KubeObject) => ObjectUsage) | undefined {
  return Object.hasOwn(MEASURED, storage) ? MEASURED[storage] : undefined
}

/** The names under which a quota limits the number of objects of a resource that is only counted. */
export function countNames(storage: string): readonly string[] {
  const [group = '', resource = ''] = storage.split('/')
  if (group !== 'core') return [`count/${resource}.${group}`]
  return PLAIN_NAMES.includes(resource) ? [resource, `count/${resource}`] : [`count/${resource}`]
}

/** Where the objects are stored whose use a quota limits by this name; undefined when no resource is meant. */
export function storageOf(name: string): string | undefined {
  if (name.startsWith('count/')) {
    const [resource = '', ...group] = name.slice('count/'.length).split('.')
    return `${group.length === 0 ? 'core' : group.join('.')}/${resource}`
  }
  if (name.endsWith(DEVICE_CLASS)) return 'resource.k8s.io/resourceclaims'
  if (PLAIN_NAMES.includes(name)) return `core/${name}`
  if (name === 'services' || name.startsWith('services.')) return 'core/services'
  if (name === 'persistentvolumeclaims' || name === 'requests.storage' || name.includes(CLASS))
    return 'core/persistentvolumeclaims'
  return name.includes('/') && !name.startsWith('requests.') ? undefined : 'core/pods'
}

function serviceUsage({ spec }: KubeObject): ObjectUsage {
  const { type, ports, allocateLoadBalancerNodePorts } = fieldsOf(spec)
  const amounts = counted('services')
  const open = listOf(ports).length
  if (type === 'LoadBalancer') amounts.set('services.loadbalancers', ONE)
  if (type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false)) {
    amounts.set('services.nodeports', times(open))
  } else if (type === 'LoadBalancer') {
    const chosen = listOf(ports).filter((port) => numberOf(fieldsOf(port).nodePort) !== 0).length
    if (chosen > 0) amounts.set('services.nodeports', times(chosen))
  }
  return { amounts, ...NO_SCOPES }
}

const CLASS = '.storageclass.storage.k8s.io/'

function claimUsage({ spec, metadata }: KubeObject): ObjectUsage {
  const { resources, storageClassName, volumeAttributesClassName } = fieldsOf(spec)
  const amounts = counted('persistentvolumeclaims')
  const size = parseQuantity(fieldsOf(fieldsOf(resources).requests).storage)
  if (size) amounts.set('requests.storage', size)
  const annotated = metadata.annotations?.['volume.beta.kubernetes.io/storage-class']
  const storageClass = annotated ?? textOf(storageClassName)
  if (storageClass !== '') {
    amounts.set(`${storageClass}${CLASS}persistentvolumeclaims`, ONE)
    if (size) amounts.set(`${storageClass}${CLASS}requests.storage`, size)
  }
  if (!isSet(volumeAttributesClassName)) return { amounts, ...NO_SCOPES }
  const attributes = textOf(volumeAttributesClassName)
  return { amounts, scopes: new Set(['VolumeAttributesClass']), values: { VolumeAttributesClass: attributes } }
}

function counted(resource: string): Map<string, Quantity> {
  return new Map([
    [resource, ONE],
    [`count/${resource}`, ONE],
  ])
}

function times(count: number): Quantity {
  return { nanos: BigInt(count) * ONE.nanos, format: 'decimal' }
}
