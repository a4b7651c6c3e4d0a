// Checks the required fields of volume sources, in pods and persistent volumes. Few of these sources are still in use,
// so that nothing else is checked.

import { type Cause, invalidValue, required, tooLong } from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import { inRange, isSet, requiredText } from './field-checks.ts'
import { noBacksteps, unreservedPath } from './path-checks.ts'

type SourceCheck = (source: Fields, path: string) => Cause[]

function needs(...keys: string[]): SourceCheck {
  return (source, path) => keys.flatMap((key) => requiredText(`${path}.${key}`, source[key]))
}

function needsList(key: string, ...others: string[]): SourceCheck {
  return (source, path) => [
    ...(listOf(source[key]).length === 0 ? [required(`${path}.${key}`)] : []),
    ...needs(...others)(source, path),
  ]
}

function disk(key: string): SourceCheck {
  return (source, path) => [...needs(key)(source, path), ...inRange(`${path}.partition`, source.partition ?? 0, 0, 255)]
}

export const requiredFieldErrors = {
  gitRepo: (source, path) => [
    ...needs('repository')(source, path),
    ...unreservedPath(`${path}.directory`, textOf(source.directory)),
  ],
  gcePersistentDisk: disk('pdName'),
  awsElasticBlockStore: disk('volumeID'),
  nfs: (source, path) => [
    ...needs('server', 'path')(source, path),
    ...(textOf(source.path).startsWith('/')
      ? []
      : [invalidValue(`${path}.path`, source.path, 'must be an absolute path')]),
  ],
  iscsi: (source, path) => [
    ...needs('targetPortal', 'iqn')(source, path),
    ...inRange(`${path}.lun`, source.lun ?? 0, 0, 255),
  ],
  glusterfs: needs('endpoints', 'path'),
  flocker: (source, path) =>
    textOf(source.datasetName) === '' && textOf(source.datasetUUID) === ''
      ? [required(path, 'one of datasetName and datasetUUID is required')]
      : [],
  persistentVolumeClaim: needs('claimName'),
  rbd: needsList('monitors', 'image'),
  cinder: (source, path) => [
    ...needs('volumeID')(source, path),
    ...(isSet(source.secretRef) ? needs('name')(fieldsOf(source.secretRef), `${path}.secretRef`) : []),
  ],
  cephfs: needsList('monitors'),
  quobyte: needs('registry', 'volume'),
  fc: (source, path) => {
    const found = listOf(source.targetWWNs).length > 0 || listOf(source.wwids).length > 0
    return found ? [] : [required(`${path}.targetWWNs`, 'must specify either targetWWNs or wwids')]
  },
  flexVolume: needs('driver'),
  azureFile: needs('secretName', 'shareName'),
  vsphereVolume: needs('volumePath'),
  photonPersistentDisk: needs('pdID'),
  portworxVolume: needs('volumeID'),
  azureDisk: needs('diskName', 'diskURI'),
  scaleIO: needs('gateway', 'system', 'volumeName'),
  local: (source, path) =>
    textOf(source.path) === '' ? [required(`${path}.path`)] : noBacksteps(`${path}.path`, textOf(source.path)),
} satisfies Record<string, SourceCheck>

export function driverName(path: string, value: unknown): Cause[] {
  const name = textOf(value)
  if (name === '') return [required(path)]
  const causes: Cause[] = []
  if (name.length > 63) causes.push(tooLong(path, 63))
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(name.toLowerCase())) {
    causes.push(invalidValue(path, name, 'must be a DNS subdomain, in letters of any case'))
  }
  return causes
}
