// Rules of PersistentVolume and PersistentVolumeClaim: storage, and the request for it.

import { compareQuantities, deepEqual, isObject, type KubeObject, parseQuantity, type Quantity } from '@homeostat/meta'
import { type Cause, forbiddenField, invalidValue, notSupported, required } from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import type { KindRules } from '../schema-strategy.ts'
import { nodeSelectorErrors } from './affinity-checks.ts'
import { accessModeErrors, claimSpecErrors, className, VOLUME_MODES } from './claim-spec-checks.ts'
import { ensure, fill, fillMissing, immutable, isSet, optionalChoice } from './field-checks.ts'
import { protectWhileInUse } from './in-use-protection.ts'
import { defaultClaimSpec, roundAmounts } from './pod-spec-defaults.ts'
import { amountErrors, resourceName } from './resource-checks.ts'
import { hostPathErrors } from './volume-checks.ts'
import { driverName, requiredFieldErrors } from './volume-sources.ts'

export const claimRules: Partial<KindRules> = {
  prepareForCreate(claim) {
    const spec = ensure(claim, 'spec')
    alignSources(spec)
    claim.status = { phase: 'Pending' }
    protectWhileInUse(claim, 'persistentvolumeclaims')
  },
  prepareForUpdate(claim, old) {
    alignSources(ensure(claim, 'spec'), isSet(fieldsOf(old.spec).dataSource))
  },
  applyDefaults(claim) {
    defaultClaimSpec(ensure(claim, 'spec'))
    const status = ensure(claim, 'status')
    fill(status, 'phase', 'Pending')
    roundAmounts(status.capacity)
    roundAmounts(status.allocatedResources)
  },
  validate: (claim) => claimSpecErrors(fieldsOf(claim.spec), 'spec'),
  validateUpdate: claimUpdateErrors,
}

/** Copies between dataSource and dataSourceRef; dataSource, the older field, allows fewer sources. */
function alignSources(spec: Fields, inUse = false): void {
  if (!inUse && isObject(spec.dataSource) && !isVolumeSource(spec.dataSource)) delete spec.dataSource
  const { dataSource, dataSourceRef } = spec
  if (isObject(dataSource) && !isSet(dataSourceRef)) spec.dataSourceRef = { ...dataSource }
  const local = isObject(dataSourceRef) && textOf(dataSourceRef.namespace) === ''
  if (local && !isSet(dataSource)) spec.dataSource = { ...dataSourceRef }
}

function isVolumeSource({ apiGroup, kind }: Fields): boolean {
  if (kind === 'PersistentVolumeClaim') return textOf(apiGroup) === ''
  return kind === 'VolumeSnapshot' && apiGroup === 'snapshot.storage.k8s.io'
}

function claimUpdateErrors(claim: KubeObject, old: KubeObject): Cause[] {
  const [spec, before] = [fieldsOf(claim.spec), fieldsOf(old.spec)]
  const causes = claimSpecErrors(spec, 'spec')
  if (!deepEqual(frozenClaim(claim, old), frozenClaim(old, old))) {
    const detail =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'
    causes.push(forbiddenField('spec', detail))
  }
  const [size, oldSize] = [storageOf(spec), storageOf(before)]
  const held = parseQuantity(fieldsOf(fieldsOf(old.status).capacity).storage) ?? NOTHING
  if (compareQuantities(size, oldSize) < 0 && compareQuantities(size, held) <= 0) {
    causes.push(forbiddenField('spec.resources.requests.storage', 'field can not be less than status.capacity'))
  }
  return [...causes, ...immutable('volumeMode', spec.volumeMode, before.volumeMode)]
}

function storageOf(spec: Fields): Quantity {
  return parseQuantity(fieldsOf(fieldsOf(spec.resources).requests).storage) ?? NOTHING
}

const NOTHING: Quantity = { nanos: 0n, format: 'decimal' }

/** The spec without its mutable fields. */
function frozenClaim(claim: KubeObject, old: KubeObject): Fields {
  const spec: Fields = { ...fieldsOf(claim.spec) }
  const before = fieldsOf(old.spec)
  if (textOf(before.volumeName) === '') delete spec.volumeName
  if (!isSet(before.storageClassName)) delete spec.storageClassName
  if (fieldsOf(old.status).phase !== 'Bound') return spec
  delete spec.volumeAttributesClassName
  const resources = fieldsOf(spec.resources)
  spec.resources = { ...resources, requests: { ...fieldsOf(resources.requests), storage: null } }
  return spec
}

export const volumeRules: Partial<KindRules> = {
  prepareForCreate(volume) {
    volume.status = { phase: 'Pending', lastPhaseTransitionTime: volume.metadata.creationTimestamp }
    protectWhileInUse(volume, 'persistentvolumes')
  },
  applyDefaults(volume) {
    const spec = ensure(volume, 'spec')
    fill(spec, 'persistentVolumeReclaimPolicy', 'Retain')
    fillMissing(spec, 'volumeMode', 'Filesystem')
    fill(ensure(volume, 'status'), 'phase', 'Pending')
    roundAmounts(spec.capacity)
    for (const [type, defaults] of Object.entries(SOURCE_DEFAULTS)) {
      const source = spec[type]
      if (isObject(source)) for (const [key, value] of Object.entries(defaults)) fillMissing(source, key, value)
    }
  },
  validate: (volume) => volumeSpecErrors(fieldsOf(volume.spec), 'spec', false),
  validateUpdate: (volume, old) => {
    const [spec, before] = [fieldsOf(volume.spec), fieldsOf(old.spec)]
    // Kubernetes validates an update as a volume and as a change, so that a cause appears twice.
    const bad = volumeSpecErrors(spec, 'spec', false)
    const causes = [...bad, ...bad]
    if (!deepEqual(sourceOf(spec), sourceOf(before))) {
      const detail = 'spec.persistentvolumesource is immutable after creation'
      causes.push(forbiddenField('spec.persistentvolumesource', detail))
    }
    causes.push(...immutable('volumeMode', spec.volumeMode, before.volumeMode))
    if (isSet(before.nodeAffinity)) causes.push(...immutable('nodeAffinity', spec.nodeAffinity, before.nodeAffinity))
    return causes
  },
}

const SOURCE_DEFAULTS: Readonly<Record<string, Fields>> = {
  hostPath: { type: '' },
  iscsi: { iscsiInterface: 'default' },
  rbd: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' },
  azureDisk: { cachingMode: 'ReadWrite', fsType: 'ext4', kind: 'Shared', readOnly: false },
  scaleIO: { storageMode: 'ThinProvisioned', fsType: 'xfs' },
}

type SourceCheck = (source: Fields, path: string) => Cause[]

/** In the order in which Kubernetes checks them. */
const SOURCES: readonly (readonly [string, SourceCheck])[] = [
  ['hostPath', hostPathErrors],
  ['gcePersistentDisk', requiredFieldErrors.gcePersistentDisk],
  ['awsElasticBlockStore', requiredFieldErrors.awsElasticBlockStore],
  ['glusterfs', requiredFieldErrors.glusterfs],
  ['flocker', requiredFieldErrors.flocker],
  ['nfs', requiredFieldErrors.nfs],
  ['rbd', requiredFieldErrors.rbd],
  ['quobyte', requiredFieldErrors.quobyte],
  ['cephfs', requiredFieldErrors.cephfs],
  ['iscsi', requiredFieldErrors.iscsi],
  ['cinder', requiredFieldErrors.cinder],
  ['fc', requiredFieldErrors.fc],
  ['flexVolume', requiredFieldErrors.flexVolume],
  ['azureFile', requiredFieldErrors.azureFile],
  ['vsphereVolume', requiredFieldErrors.vsphereVolume],
  ['photonPersistentDisk', requiredFieldErrors.photonPersistentDisk],
  ['portworxVolume', requiredFieldErrors.portworxVolume],
  ['azureDisk', requiredFieldErrors.azureDisk],
  ['scaleIO', requiredFieldErrors.scaleIO],
  ['local', requiredFieldErrors.local],
  ['storageos', () => []],
  ['csi', csiErrors],
]

function sourceOf(spec: Fields): Fields {
  return Object.fromEntries(SOURCES.flatMap(([key]) => (isSet(spec[key]) ? [[key, spec[key]]] : [])))
}

export function volumeSpecErrors(spec: Fields, path: string, inline: boolean): Cause[] {
  const [first, ...further] = SOURCES.filter(([key]) => isSet(spec[key]))
  return [
    ...modeErrors(spec.accessModes, `${path}.accessModes`),
    ...(inline ? [] : capacityErrors(spec, `${path}.capacity`)),
    ...policyErrors(spec, `${path}.persistentVolumeReclaimPolicy`),
    ...affinityErrors(spec, `${path}.nodeAffinity`),
    ...(first
      ? first[1](fieldsOf(spec[first[0]]), `${path}.${first[0]}`)
      : [required(path, 'must specify a volume type')]),
    ...further.map(([key]) => forbiddenField(`${path}.${key}`, 'may not specify more than 1 volume type')),
    ...className(`${path}.storageClassName`, spec.storageClassName),
    ...optionalChoice(`${path}.volumeMode`, spec.volumeMode, VOLUME_MODES),
  ]
}

function modeErrors(modes: unknown, path: string): Cause[] {
  return listOf(modes).length === 0 ? [required(path)] : accessModeErrors(modes, path)
}

function capacityErrors(spec: Fields, path: string): Cause[] {
  const capacity = fieldsOf(spec.capacity)
  const names = Object.keys(capacity)
  const causes = names.length === 0 ? [required(path)] : []
  if (!names.includes('storage') || names.length > 1) causes.push(notSupported(path, capacity, ['storage']))
  for (const [name, value] of Object.entries(capacity)) {
    const at = `${path}[${name}]`
    const amount = parseQuantity(value)
    causes.push(...resourceName(at, name))
    if (amount && amount.nanos <= 0n) causes.push(invalidValue(at, value, 'must be greater than zero'))
    else causes.push(...amountErrors(at, name, value))
  }
  return causes
}

function policyErrors(spec: Fields, path: string): Cause[] {
  const causes = optionalChoice(path, spec.persistentVolumeReclaimPolicy, ['Delete', 'Recycle', 'Retain'])
  const place = textOf(fieldsOf(spec.hostPath).path)
  if (spec.persistentVolumeReclaimPolicy === 'Recycle' && /^\/+$/.test(place)) {
    causes.push(forbiddenField(path, "may not be 'recycle' for a hostPath mount of '/'"))
  }
  return causes
}

function affinityErrors(spec: Fields, path: string): Cause[] {
  const local = isObject(spec.local)
  if (!isObject(spec.nodeAffinity)) return local ? [required(path, 'Local volume requires node affinity')] : []
  const must = spec.nodeAffinity.required
  if (!isObject(must)) return [required(`${path}.required`, 'must specify required node constraints')]
  return nodeSelectorErrors(must, `${path}.required`)
}

function csiErrors(source: Fields, path: string): Cause[] {
  return [
    ...driverName(`${path}.driver`, source.driver),
    ...(textOf(source.volumeHandle) === '' ? [required(`${path}.volumeHandle`)] : []),
  ]
}
