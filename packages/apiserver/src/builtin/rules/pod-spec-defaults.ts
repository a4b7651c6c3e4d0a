// The defaults of a pod spec, in a pod or in the template of a workload.

import { formatQuantity, isObject, parseQuantity } from '@homeostat/meta'
import { type Fields, fieldsOf, textOf } from '../fields-of.ts'
import { ensure, fill, fillMissing, isSet, structs } from './field-checks.ts'

export const CONTAINER_LISTS = ['containers', 'initContainers', 'ephemeralContainers'] as const

export function defaultPodSpec(spec: Fields): void {
  fill(spec, 'dnsPolicy', 'ClusterFirst')
  fill(spec, 'restartPolicy', 'Always')
  ensure(spec, 'securityContext')
  fillMissing(spec, 'terminationGracePeriodSeconds', 30)
  fill(spec, 'schedulerName', 'default-scheduler')
  mirrorServiceAccount(spec)
  for (const volume of structs(spec, 'volumes')) defaultVolume(volume)
  for (const list of CONTAINER_LISTS) for (const container of structs(spec, list)) defaultContainer(container)
  if (isObject(spec.resources)) roundResources(spec.resources)
  roundAmounts(spec.overhead)
}

/** Writes the deprecated field beside the new one, with the same value. */
function mirrorServiceAccount(spec: Fields): void {
  const name = textOf(spec.serviceAccountName) || textOf(spec.serviceAccount)
  if (name === '') return
  spec.serviceAccountName = name
  spec.serviceAccount = name
}

function defaultContainer(container: Fields): void {
  fill(container, 'imagePullPolicy', pullPolicyOf(textOf(container.image)))
  fill(container, 'terminationMessagePath', '/dev/termination-log')
  fill(container, 'terminationMessagePolicy', 'File')
  roundResources(ensure(container, 'resources'))
  for (const port of structs(container, 'ports')) fill(port, 'protocol', 'TCP')
  for (const variable of structs(container, 'env')) {
    const from = fieldsOf(variable.valueFrom)
    defaultFieldRef(from.fieldRef)
    defaultDivisor(from.resourceFieldRef)
    if (isObject(from.fileKeyRef)) fillMissing(from.fileKeyRef, 'optional', false)
  }
  for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe']) defaultProbe(container[probe])
  const { postStart, preStop } = fieldsOf(container.lifecycle)
  defaultHttpGet(fieldsOf(postStart).httpGet)
  defaultHttpGet(fieldsOf(preStop).httpGet)
}

const PART = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*'
const DOMAIN =
  '(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?/'
const IMAGE = new RegExp(
  `^(?:${DOMAIN})?${PART}(?:/${PART})*(?::([\\w][\\w.-]{0,127}))?(@[A-Za-z][\\w+.-]*:[0-9a-fA-F]{32,})?$`,
)

/** `latest`, which is also the default tag, is pulled every time. An invalid image gets IfNotPresent. */
function pullPolicyOf(image: string): string {
  const [whole, tag, digest] = image.length > 1024 ? [] : (IMAGE.exec(image) ?? [])
  const moving = tag === 'latest' || (whole !== undefined && tag === undefined && digest === undefined)
  return moving ? 'Always' : 'IfNotPresent'
}

function defaultProbe(probe: unknown): void {
  if (!isObject(probe)) return
  fill(probe, 'timeoutSeconds', 1)
  fill(probe, 'periodSeconds', 10)
  fill(probe, 'successThreshold', 1)
  fill(probe, 'failureThreshold', 3)
  defaultHttpGet(probe.httpGet)
  if (isObject(probe.grpc)) fillMissing(probe.grpc, 'service', '')
}

function defaultHttpGet(action: unknown): void {
  if (!isObject(action)) return
  fill(action, 'path', '/')
  fill(action, 'scheme', 'HTTP')
}

function defaultFieldRef(reference: unknown): void {
  if (isObject(reference)) fill(reference, 'apiVersion', 'v1')
}

function defaultDivisor(reference: unknown): void {
  if (!isObject(reference)) return
  fillMissing(reference, 'divisor', '0')
}

function defaultVolume(volume: Fields): void {
  if (Object.keys(volume).every((key) => key === 'name' || !isSet(volume[key]))) volume.emptyDir = {}
  for (const [type, defaults] of Object.entries(VOLUME_DEFAULTS)) {
    const source = volume[type]
    if (!isObject(source)) continue
    for (const [key, value] of Object.entries(defaults)) fillMissing(source, key, value)
  }
  const { downwardAPI, projected, ephemeral, image } = volume
  if (isObject(image)) fill(image, 'pullPolicy', pullPolicyOf(textOf(image.reference)))
  defaultDownward(downwardAPI)
  for (const source of structs(fieldsOf(projected), 'sources')) {
    if (isObject(source.serviceAccountToken)) fillMissing(source.serviceAccountToken, 'expirationSeconds', 3600)
    defaultDownward(source.downwardAPI)
  }
  const template = fieldsOf(ephemeral).volumeClaimTemplate
  if (isObject(template)) defaultClaimSpec(ensure(template, 'spec'))
}

const FILE_MODE = 0o644

const VOLUME_DEFAULTS: Readonly<Record<string, Fields>> = {
  secret: { defaultMode: FILE_MODE },
  configMap: { defaultMode: FILE_MODE },
  downwardAPI: { defaultMode: FILE_MODE },
  projected: { defaultMode: FILE_MODE },
  hostPath: { type: '' },
  iscsi: { iscsiInterface: 'default' },
  rbd: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' },
  azureDisk: { cachingMode: 'ReadWrite', fsType: 'ext4', kind: 'Shared', readOnly: false },
  scaleIO: { storageMode: 'ThinProvisioned', fsType: 'xfs' },
}

function defaultDownward(source: unknown): void {
  for (const file of structs(fieldsOf(source), 'items')) {
    defaultFieldRef(file.fieldRef)
    defaultDivisor(file.resourceFieldRef)
  }
}

export function defaultClaimSpec(spec: Fields): void {
  fillMissing(spec, 'volumeMode', 'Filesystem')
  roundResources(ensure(spec, 'resources'))
}

export function roundResources(resources: Fields): void {
  roundAmounts(resources.limits)
  roundAmounts(resources.requests)
}

const MILLI = 1_000_000n

/** Rounds quantities to thousandths, away from zero. */
export function roundAmounts(amounts: unknown): void {
  if (!isObject(amounts)) return
  for (const [name, amount] of Object.entries(amounts)) {
    const quantity = parseQuantity(amount)
    const rest = quantity ? quantity.nanos % MILLI : 0n
    if (!quantity || rest === 0n) continue
    const nanos = quantity.nanos - rest + (rest > 0n ? MILLI : -MILLI)
    amounts[name] = formatQuantity({ ...quantity, nanos })
  }
}
