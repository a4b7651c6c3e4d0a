// Rules of StorageClass, CSIDriver, CSINode, VolumeAttachment and related kinds.

import { deepEqual, dns1123Subdomain, isObject, type KubeObject, parseQuantity } from '@homeostat/meta'
import {
  type Cause,
  duplicate,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  tooLong,
} from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import type { KindRules } from '../schema-strategy.ts'
import {
  dnsSubdomain,
  ensure,
  fillMissing,
  immutable,
  isSet,
  items,
  messages,
  nonNegative,
  numberOf,
  optionalChoice,
  qualified,
  texts,
} from './field-checks.ts'
import { protectWhileInUse } from './in-use-protection.ts'
import { selectorErrors } from './label-checks.ts'
import { volumeSpecErrors } from './persistent-volume.ts'
import { driverName } from './volume-sources.ts'

export const storageClassRules: Partial<KindRules> = {
  applyDefaults(storage) {
    fillMissing(storage, 'reclaimPolicy', 'Delete')
    fillMissing(storage, 'volumeBindingMode', 'Immediate')
  },
  validate: storageClassErrors,
  validateUpdate: (storage, old) => [
    ...storageClassErrors(storage),
    ...changeErrors(storage, old, ['parameters', 'provisioner', 'reclaimPolicy']),
    ...immutable('volumeBindingMode', storage.volumeBindingMode, old.volumeBindingMode),
  ],
}

function changeErrors(object: KubeObject, old: KubeObject, keys: readonly string[]): Cause[] {
  const changed = keys.filter((key) => !deepEqual(object[key] ?? null, old[key] ?? null))
  return changed.map((key) => forbiddenField(key, `updates to ${key} are forbidden.`))
}

function storageClassErrors(storage: KubeObject): Cause[] {
  return [
    ...qualifiedDriver('provisioner', storage.provisioner),
    ...parameterErrors(storage.parameters),
    ...(textOf(storage.reclaimPolicy) === ''
      ? []
      : optionalChoice('reclaimPolicy', storage.reclaimPolicy, ['Delete', 'Retain'])),
    ...optionalChoice('volumeBindingMode', storage.volumeBindingMode, ['Immediate', 'WaitForFirstConsumer']),
    ...topologyErrors(storage.allowedTopologies),
  ]
}

/** Classes name a driver by a qualified name, which may have a prefix with a slash. */
function qualifiedDriver(path: string, value: unknown): Cause[] {
  const name = textOf(value)
  return name === '' ? [required(path)] : qualified(path, name.toLowerCase())
}

const MAX_PARAMETERS = 512
const MAX_PARAMETER_BYTES = 256 * 1024

function parameterErrors(parameters: unknown): Cause[] {
  const entries = Object.entries(fieldsOf(parameters))
  if (entries.length > MAX_PARAMETERS) return [tooLong('parameters', MAX_PARAMETERS)]
  const size = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(textOf(value)), 0)
  const causes = entries.some(([key]) => key === '') ? [invalidValue('parameters', '', 'field can not be empty.')] : []
  return size > MAX_PARAMETER_BYTES ? [...causes, tooLong('parameters', MAX_PARAMETER_BYTES)] : causes
}

function topologyErrors(topologies: unknown): Cause[] {
  // Kubernetes compares terms with a list that starts with as many empty terms as there are terms.
  const before: unknown[] = listOf(topologies).map(() => ({}))
  return items(topologies, 'allowedTopologies').flatMap(({ item, path }) => {
    const at = `${path}.matchLabelExpressions`
    const keys = new Set<string>()
    const causes = items(item.matchLabelExpressions, at).flatMap((one) => {
      const found: Cause[] = []
      const values = texts(one.item.values)
      if (values.length === 0) found.push(required(`${one.path}.values`))
      values.forEach((value, index) => {
        if (values.indexOf(value) < index) found.push(duplicate(`${one.path}.values[${index}]`, value))
      })
      found.push(...qualified(`${one.path}.key`, one.item.key))
      if (keys.has(textOf(one.item.key))) found.push(duplicate(`${one.path}.key`, one.item.key))
      keys.add(textOf(one.item.key))
      return found
    })
    const terms = Object.fromEntries(
      items(item.matchLabelExpressions, '').map((one) => [textOf(one.item.key), texts(one.item.values).sort()]),
    )
    if (before.some((other) => deepEqual(other, terms))) causes.push(duplicate(at, ''))
    before.push(terms)
    return causes
  })
}

export const csiDriverRules: Partial<KindRules> = {
  applyDefaults(driver) {
    const spec = ensure(driver, 'spec')
    fillMissing(spec, 'attachRequired', true)
    fillMissing(spec, 'podInfoOnMount', false)
    fillMissing(spec, 'storageCapacity', false)
    fillMissing(spec, 'fsGroupPolicy', 'ReadWriteOnceWithFSType')
    fillMissing(spec, 'requiresRepublish', false)
    fillMissing(spec, 'seLinuxMount', false)
    if (listOf(spec.volumeLifecycleModes).length === 0) spec.volumeLifecycleModes = ['Persistent']
  },
  validate: driverErrors,
  validateUpdate: (driver, old) => {
    const [spec, before] = [fieldsOf(driver.spec), fieldsOf(old.spec)]
    return [
      ...driverErrors(driver),
      ...immutable('spec.attachedRequired', spec.attachRequired, before.attachRequired),
      ...immutable('spec.volumeLifecycleModes', spec.volumeLifecycleModes, before.volumeLifecycleModes),
    ]
  },
}

function driverErrors(driver: KubeObject): Cause[] {
  const spec = fieldsOf(driver.spec)
  const modes = ['Persistent', 'Ephemeral']
  const audiences = new Set<string>()
  const causes = optionalChoice('spec.fsGroupPolicy', spec.fsGroupPolicy, ['File', 'None', 'ReadWriteOnceWithFSType'])
  for (const { item, path } of items(spec.tokenRequests, 'spec.tokenRequests')) {
    const audience = textOf(item.audience)
    if (audiences.has(audience)) causes.push(duplicate(`${path}.audience`, audience))
    else if (isSet(item.expirationSeconds))
      causes.push(...lifetimeErrors(item.expirationSeconds, `${path}.expirationSeconds`))
    audiences.add(audience)
  }
  for (const mode of texts(spec.volumeLifecycleModes)) {
    if (!modes.includes(mode)) causes.push(notSupported('spec.volumeLifecycleModes', mode, modes))
  }
  const period = spec.nodeAllocatableUpdatePeriodSeconds
  if (isSet(period) && numberOf(period) < 10) {
    const detail = 'must be greater than or equal to 10 seconds'
    causes.push(invalidValue('spec.nodeAllocatableUpdatePeriodSeconds', period, detail))
  }
  return causes
}

function lifetimeErrors(seconds: unknown, path: string): Cause[] {
  if (numberOf(seconds) < 600) return [invalidValue(path, seconds, 'may not specify a duration less than 10 minutes')]
  return numberOf(seconds) > 2 ** 32
    ? [invalidValue(path, seconds, 'may not specify a duration larger than 2^32 seconds')]
    : []
}

export const csiNodeRules: Partial<KindRules> = {
  validate: nodeErrors,
  validateUpdate: (node, old) => {
    const before = new Map(items(fieldsOf(old.spec).drivers, '').map(({ item }) => [textOf(item.name), item]))
    const changed = items(fieldsOf(node.spec).drivers, '').flatMap(({ item }) => {
      const driver = before.get(textOf(item.name))
      if (!driver) return []
      return immutable('spec.drivers', { ...item, allocatable: null }, { ...driver, allocatable: null })
    })
    return [...nodeErrors(node), ...nodeErrors(node), ...changed]
  },
}

function nodeErrors(node: KubeObject): Cause[] {
  const names = new Set<string>()
  return items(fieldsOf(node.spec).drivers, 'spec.drivers').flatMap(({ item, path }) => {
    const causes = driverName(`${path}.name`, item.name)
    const id = textOf(item.nodeID)
    if (id === '') causes.push(required(`${path}.nodeID`))
    if (id.length > 256) causes.push(invalidValue(`${path}.nodeID`, id, 'must be 256 characters or less'))
    causes.push(...nonNegative(`${path}.allocatable.count`, fieldsOf(item.allocatable).count))
    if (names.has(textOf(item.name))) causes.push(duplicate(`${path}.name`, item.name))
    names.add(textOf(item.name))
    const keys = texts(item.topologyKeys)
    keys.forEach((key, index) => {
      if (key === '') causes.push(required(path))
      if (keys.indexOf(key) < index) causes.push(duplicate(path, key))
      causes.push(...qualified(path, key))
    })
    return causes
  })
}

export const volumeAttachmentRules: Partial<KindRules> = {
  validate: (attachment) => {
    const spec = fieldsOf(attachment.spec)
    const volume = fieldsOf(spec.source).persistentVolumeName
    return [
      ...(textOf(spec.attacher) === '' ? [required('spec.attacher')] : []),
      ...attachmentSourceErrors(fieldsOf(spec.source)),
      ...messages('spec.nodeName', textOf(spec.nodeName), dns1123Subdomain(textOf(spec.nodeName))),
      ...driverName('spec.attacher', spec.attacher),
      ...(isSet(volume) ? dnsSubdomain('spec.source.persistentVolumeName', volume) : []),
    ]
  },
  validateUpdate: (attachment, old) => {
    const { attacher, source, nodeName } = fieldsOf(attachment.spec)
    return [
      ...(textOf(attacher) === '' ? [required('spec.attacher')] : []),
      ...attachmentSourceErrors(fieldsOf(source)),
      ...messages('spec.nodeName', textOf(nodeName), dns1123Subdomain(textOf(nodeName))),
      ...immutable('spec', attachment.spec, old.spec),
    ]
  },
}

function attachmentSourceErrors(source: Fields): Cause[] {
  const [inline, name] = [source.inlineVolumeSpec, source.persistentVolumeName]
  const path = 'spec.source'
  const one = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'
  if (isSet(inline) && isSet(name)) return [forbiddenField(path, one)]
  if (isObject(inline)) return volumeSpecErrors(inline, `${path}.inlineVolumeSpec`, true)
  if (!isSet(name)) return [required(path, one)]
  return name === '' ? [required(`${path}.persistentVolumeName`, 'must specify non empty persistentVolumeName')] : []
}

export const storageCapacityRules: Partial<KindRules> = {
  validate: capacityErrors,
  validateUpdate: (capacity, old) => [
    ...capacityErrors(capacity),
    ...['nodeTopology', 'storageClassName'].flatMap((key) => immutable(key, capacity[key], old[key])),
  ],
}

function capacityErrors(capacity: KubeObject): Cause[] {
  const amount = parseQuantity(capacity.capacity)
  const causes = selectorErrors('nodeTopology', capacity.nodeTopology)
  causes.push(...dnsSubdomain('storageClassName', capacity.storageClassName))
  if (!amount || amount.nanos >= 0n) return causes
  return [...causes, invalidValue('capacity', capacity.capacity, 'must be greater than or equal to 0')]
}

export const attributesClassRules: Partial<KindRules> = {
  prepareForCreate: (attributes) => protectWhileInUse(attributes, 'volumeattributesclasses'),
  validate: (attributes) => [
    ...qualifiedDriver('driverName', attributes.driverName),
    ...parameterErrors(attributes.parameters),
    ...(Object.keys(fieldsOf(attributes.parameters)).length > 0
      ? []
      : [required('parameters', 'must contain at least one key/value pair')]),
  ],
  validateUpdate: (attributes, old) => changeErrors(attributes, old, ['driverName', 'parameters']),
}
