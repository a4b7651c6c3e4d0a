// Checks the volumes of a pod: each has a unique name and exactly one source.

import { dns1123Subdomain, isObject, parseQuantity } from '@homeostat/meta'
import { type Cause, duplicate, forbiddenField, invalidValue, required } from '@homeostat/meta/server'
import { type Fields, fieldsOf, textOf } from '../fields-of.ts'
import { claimTemplateErrors } from './claim-spec-checks.ts'
import { fieldRefErrors, resourceRefErrors, VOLUME_FIELDS } from './env-checks.ts'
import {
  choice,
  dnsSubdomain,
  isSet,
  items,
  numberOf,
  optionalChoice,
  requiredName,
  requiredText,
} from './field-checks.ts'
import { noBacksteps, unreservedPath } from './path-checks.ts'
import { driverName, requiredFieldErrors } from './volume-sources.ts'

/** The pod of the volumes. A template has no name yet. */
export interface VolumeOwner {
  readonly podName?: string
  readonly isPod: boolean
}

/** Valid volumes by name: containers can mount only those. */
export interface CheckedVolumes {
  readonly causes: Cause[]
  readonly good: ReadonlyMap<string, Fields>
}

export function checkVolumes(volumes: unknown, path: string, owner: VolumeOwner): CheckedVolumes {
  const causes: Cause[] = []
  const good = new Map<string, Fields>()
  const claims = claimsMade(volumes, owner)
  for (const { item, path: at } of items(volumes, path)) {
    const name = textOf(item.name)
    const found = [...sourceErrors(item, at, owner), ...requiredName(`${at}.name`, name)]
    if (good.has(name)) found.push(duplicate(`${at}.name`, name))
    if (found.length === 0) good.set(name, item)
    causes.push(...found)
    const claim = textOf(fieldsOf(item.persistentVolumeClaim).claimName)
    if (claims.has(claim)) {
      const detail = 'must not reference a PVC that gets created for an ephemeral volume'
      causes.push(invalidValue(`${at}.persistentVolumeClaim.claimName`, claim, detail))
    }
  }
  return { causes, good }
}

/** The claims of ephemeral volumes, which are created with the pod. */
function claimsMade(volumes: unknown, { podName }: VolumeOwner): Set<string> {
  if (!podName) return new Set()
  const ephemeral = items(volumes, '').filter(({ item }) => isSet(item.ephemeral))
  return new Set(ephemeral.map(({ item }) => `${podName}-${textOf(item.name)}`))
}

type SourceCheck = (source: Fields, path: string, owner: VolumeOwner, volume: Fields) => Cause[]

/** In the order in which Kubernetes checks them: the first source counts, further ones are forbidden. */
const SOURCES: readonly (readonly [string, SourceCheck])[] = [
  ['emptyDir', emptyDirErrors],
  ['hostPath', hostPathErrors],
  ['gitRepo', requiredFieldErrors.gitRepo],
  ['gcePersistentDisk', requiredFieldErrors.gcePersistentDisk],
  ['awsElasticBlockStore', requiredFieldErrors.awsElasticBlockStore],
  ['secret', (source, path) => [...requiredText(`${path}.secretName`, source.secretName), ...keyed(source, path)]],
  ['nfs', requiredFieldErrors.nfs],
  ['iscsi', requiredFieldErrors.iscsi],
  ['glusterfs', requiredFieldErrors.glusterfs],
  ['flocker', requiredFieldErrors.flocker],
  ['persistentVolumeClaim', requiredFieldErrors.persistentVolumeClaim],
  ['rbd', requiredFieldErrors.rbd],
  ['cinder', requiredFieldErrors.cinder],
  ['cephfs', requiredFieldErrors.cephfs],
  ['quobyte', requiredFieldErrors.quobyte],
  ['downwardAPI', (source, path) => [...modeErrors(source, path, 'defaultMode'), ...downwardErrors(source, path)]],
  ['fc', requiredFieldErrors.fc],
  ['flexVolume', requiredFieldErrors.flexVolume],
  ['configMap', (source, path) => [...requiredText(`${path}.name`, source.name), ...keyed(source, path)]],
  ['azureFile', requiredFieldErrors.azureFile],
  ['vsphereVolume', requiredFieldErrors.vsphereVolume],
  ['photonPersistentDisk', requiredFieldErrors.photonPersistentDisk],
  ['portworxVolume', requiredFieldErrors.portworxVolume],
  ['azureDisk', requiredFieldErrors.azureDisk],
  ['storageos', () => []],
  ['projected', projectedErrors],
  ['scaleIO', requiredFieldErrors.scaleIO],
  ['csi', csiErrors],
  ['ephemeral', ephemeralErrors],
  ['image', imageErrors],
]

/** Field names in Kubernetes' paths, where they differ from the object's. */
const FIRST_NAMES: Readonly<Record<string, string>> = { gcePersistentDisk: 'persistentDisk' }
const FURTHER_NAMES: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' }

function sourceErrors(volume: Fields, path: string, owner: VolumeOwner): Cause[] {
  const present = SOURCES.filter(([key]) => isSet(volume[key]))
  const [first, ...further] = present
  if (!first) return [required(path, 'must specify a volume type')]
  const [key, check] = first
  return [
    ...check(fieldsOf(volume[key]), `${path}.${FIRST_NAMES[key] ?? key}`, owner, volume),
    ...further.map(([other]) =>
      forbiddenField(`${path}.${FURTHER_NAMES[other] ?? other}`, 'may not specify more than 1 volume type'),
    ),
  ]
}

function emptyDirErrors(source: Fields, path: string): Cause[] {
  const limit = parseQuantity(source.sizeLimit)
  if (!limit || limit.nanos >= 0n) return []
  return [forbiddenField(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
}

const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
]

export function hostPathErrors(source: Fields, path: string): Cause[] {
  if (textOf(source.path) === '') return [required(`${path}.path`)]
  return [
    ...noBacksteps(`${path}.path`, textOf(source.path)),
    ...optionalChoice(`${path}.type`, source.type, HOST_PATH_TYPES),
  ]
}

/** Sources that project keys as files. */
function keyed(source: Fields, path: string): Cause[] {
  return [
    ...modeErrors(source, path, 'defaultMode'),
    ...items(source.items, `${path}.items`).flatMap((one) => keyToPathErrors(one.item, one.path)),
  ]
}

function keyToPathErrors(item: Fields, path: string): Cause[] {
  return [
    ...requiredText(`${path}.key`, item.key),
    ...requiredText(`${path}.path`, item.path),
    ...unreservedPath(`${path}.path`, textOf(item.path)),
    ...modeErrors(item, path, 'mode'),
  ]
}

function modeErrors(fields: Fields, path: string, key: string): Cause[] {
  const mode = numberOf(fields[key])
  if (mode >= 0 && mode <= 0o777) return []
  return [invalidValue(`${path}.${key}`, mode, 'must be a number between 0 and 0777 (octal), both inclusive')]
}

/** Paths do not name the items, as in Kubernetes. */
function downwardErrors(source: Fields, path: string): Cause[] {
  return items(source.items, path).flatMap(({ item }) => downwardFileErrors(item, path))
}

function downwardFileErrors(file: Fields, path: string): Cause[] {
  const causes = [...requiredText(`${path}.path`, file.path), ...unreservedPath(`${path}.path`, textOf(file.path))]
  if (isObject(file.fieldRef)) {
    causes.push(...fieldRefErrors(file.fieldRef, `${path}.fieldRef`, VOLUME_FIELDS))
    if (isObject(file.resourceFieldRef)) {
      causes.push(invalidValue(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'))
    }
  } else if (isObject(file.resourceFieldRef)) {
    causes.push(...resourceRefErrors(file.resourceFieldRef, `${path}.resourceFieldRef`, true))
  } else causes.push(required(path, 'one of fieldRef and resourceFieldRef is required'))
  return [...causes, ...modeErrors(file, path, 'mode')]
}

const PROJECTIONS = [
  'secret',
  'configMap',
  'downwardAPI',
  'serviceAccountToken',
  'clusterTrustBundle',
  'podCertificate',
]

function projectedErrors(source: Fields, path: string): Cause[] {
  const taken = new Set<string>()
  const causes = modeErrors(source, path, 'defaultMode')
  for (const { item, path: at } of items(source.sources, `${path}.sources`)) {
    const present = PROJECTIONS.filter((key) => isSet(item[key]))
    for (const key of present) {
      const projection = fieldsOf(item[key])
      causes.push(...projectionErrors(key, projection, at, path))
      for (const file of items(projection.items, '')) {
        const name = textOf(file.item.path)
        if (name !== '' && taken.has(name)) causes.push(invalidValue(path, name, 'conflicting duplicate paths'))
        taken.add(name)
      }
    }
    if (present.length > 1) causes.push(forbiddenField(at, 'may not specify more than 1 volume type'))
  }
  return causes
}

function projectionErrors(key: string, projection: Fields, at: string, volumePath: string): Cause[] {
  const path = `${at}.${key}`
  if (key === 'secret' || key === 'configMap') {
    return [
      ...requiredText(`${path}.name`, projection.name),
      ...items(projection.items, `${path}.items`).flatMap((one) => keyToPathErrors(one.item, one.path)),
    ]
  }
  if (key === 'downwardAPI') return downwardErrors(projection, path)
  return key === 'serviceAccountToken' ? tokenErrors(projection, path, volumePath) : []
}

function tokenErrors(token: Fields, path: string, volumePath: string): Cause[] {
  const seconds = numberOf(token.expirationSeconds)
  const causes: Cause[] = []
  if (seconds < 600 || seconds > 2 ** 32) {
    const detail = seconds < 600 ? 'less than 10 minutes' : 'larger than 2^32 seconds'
    causes.push(invalidValue(`${path}.expirationSeconds`, seconds, `may not specify a duration ${detail}`))
  }
  const file = textOf(token.path)
  if (file === '') return [...causes, required(`${volumePath}.path`)]
  return [...causes, ...unreservedPath(`${volumePath}.path`, file)]
}

function csiErrors(source: Fields, path: string): Cause[] {
  const secret = source.nodePublishSecretRef
  return [...driverName(`${path}.driver`, source.driver), ...(isObject(secret) ? secretRefErrors(secret, path) : [])]
}

/** The cause of a missing name is at the name, that of an invalid one at the source. */
function secretRefErrors(secret: Fields, path: string): Cause[] {
  if (textOf(secret.name) === '') return [required(`${path}.nodePublishSecretRef.name`)]
  return dnsSubdomain(`${path}.name`, secret.name)
}

function ephemeralErrors(source: Fields, path: string, { podName }: VolumeOwner, volume: Fields): Cause[] {
  if (!isObject(source.volumeClaimTemplate)) return [required(`${path}.volumeClaimTemplate`)]
  const name = textOf(volume.name)
  const claim = podName && name !== '' ? `${podName}-${name}` : undefined
  const found = claim === undefined ? [] : dns1123Subdomain(claim)
  const volumePath = path.slice(0, -'.ephemeral'.length)
  return [
    ...claimTemplateErrors(source.volumeClaimTemplate, `${path}.volumeClaimTemplate`),
    ...found.map((message) => invalidValue(`${volumePath}.name`, name, `PVC name "${claim}": ${message}`)),
  ]
}

function imageErrors(source: Fields, path: string, { isPod }: VolumeOwner): Cause[] {
  return [
    ...(isPod ? requiredText(`${path}.reference`, source.reference) : []),
    ...choice(`${path}.pullPolicy`, source.pullPolicy, ['Always', 'IfNotPresent', 'Never']),
  ]
}
