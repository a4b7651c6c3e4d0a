// Checks environment variables of containers, and the references to fields, resources and keys in them.

import { formatQuantity, isObject, parseQuantity } from '@homeostat/meta'
import { type Cause, invalidValue, notFoundValue, notSupported, required } from '@homeostat/meta/server'
import { type Fields, fieldsOf, textOf } from '../fields-of.ts'
import { configKey } from './config-key.ts'
import { dnsSubdomain, isSet, items, qualified, requiredName } from './field-checks.ts'
import { noBacksteps } from './path-checks.ts'

export function envErrors(env: unknown, path: string): Cause[] {
  return items(env, path).flatMap(({ item, path: at }) => [
    ...requiredName(`${at}.name`, item.name, variableName),
    ...valueFromErrors(item, `${at}.valueFrom`),
  ])
}

export function envFromErrors(envFrom: unknown, path: string): Cause[] {
  return items(envFrom, path).flatMap(({ item, path: at }) => {
    const sources = ['configMapRef', 'secretRef'].filter((key) => isSet(item[key]))
    const causes = textOf(item.prefix) === '' ? [] : variableName(`${at}.prefix`, item.prefix)
    for (const key of sources) {
      causes.push(...requiredName(`${at}.${key}.name`, fieldsOf(item[key]).name, dnsSubdomain))
    }
    // The cause names the list and not the item, as in Kubernetes.
    if (sources.length === 0) causes.push(invalidValue(path, '', 'must specify one of: `configMapRef` or `secretRef`'))
    if (sources.length > 1) causes.push(invalidValue(path, '', 'may not have more than one field specified at a time'))
    return causes
  })
}

function variableName(path: string, value: unknown): Cause[] {
  if (/^[ -<>-~]+$/.test(textOf(value))) return []
  const rule = "a valid environment variable name must consist only of printable ASCII characters other than '='"
  return [invalidValue(path, value, rule)]
}

const SOURCES = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef']

function valueFromErrors(variable: Fields, path: string): Cause[] {
  const from = variable.valueFrom
  if (!isObject(from)) return []
  const sources = SOURCES.filter((key) => isSet(from[key]))
  const causes = sources.flatMap((key) => SOURCE_CHECKS[key]?.(fieldsOf(from[key]), `${path}.${key}`) ?? [])
  if (sources.length === 0) {
    causes.push(invalidValue(path, '', `must specify one of: ${SOURCES.map((key) => `\`${key}\``).join(', ')}`))
  } else if (textOf(variable.value) !== '') {
    causes.push(invalidValue(path, '', 'may not be specified when `value` is not empty'))
  } else if (sources.length > 1) {
    causes.push(invalidValue(path, '', 'may not have more than one field specified at a time'))
  }
  return causes
}

const SOURCE_CHECKS: Readonly<Record<string, (source: Fields, path: string) => Cause[]>> = {
  fieldRef: (source, path) => fieldRefErrors(source, path, ENV_FIELDS),
  resourceFieldRef: (source, path) => resourceRefErrors(source, path, false),
  configMapKeyRef: keyRefErrors,
  secretKeyRef: keyRefErrors,
  fileKeyRef: (source, path) => [
    ...requiredName(`${path}.key`, source.key, variableName),
    ...requiredName(`${path}.volumeName`, source.volumeName),
    ...requiredName(`${path}.path`, source.path, (at, value) => noBacksteps(at, textOf(value))),
  ],
}

function keyRefErrors(source: Fields, path: string): Cause[] {
  return [...dnsSubdomain(`${path}.name`, source.name), ...requiredName(`${path}.key`, source.key, configKey)]
}

const ENV_FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]
export const VOLUME_FIELDS = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
]
const KNOWN_FIELDS = new Set([
  ...ENV_FIELDS,
  ...VOLUME_FIELDS,
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
])

export function fieldRefErrors(reference: Fields, path: string, allowed: readonly string[]): Cause[] {
  const field = textOf(reference.fieldPath)
  if (textOf(reference.apiVersion) === '') return [required(`${path}.apiVersion`)]
  if (field === '') return [required(`${path}.fieldPath`)]
  const [, map, key] = /^(.*)\['(.*)'\]$/.exec(field) ?? []
  if (map === 'metadata.labels') return qualified(path, key)
  if (map === 'metadata.annotations') return qualified(path, textOf(key).toLowerCase())
  if (map !== undefined || !KNOWN_FIELDS.has(field) || reference.apiVersion !== 'v1') {
    return [invalidValue(`${path}.fieldPath`, field, 'error converting fieldPath: field label not supported')]
  }
  return allowed.includes(field) ? [] : [notSupported(`${path}.fieldPath`, field, allowed)]
}

const RESOURCES = ['limits.cpu', 'limits.ephemeral-storage', 'limits.memory'].flatMap((limit) => [
  limit,
  limit.replace('limits', 'requests'),
])
const SIZES = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei']

/** In a volume the reference must name a container; in a container it defaults to the container itself. */
export function resourceRefErrors(reference: Fields, path: string, inVolume: boolean): Cause[] {
  const resource = textOf(reference.resource)
  const hugePages = /^(limits|requests)\.hugepages-/.test(resource)
  const causes: Cause[] = []
  if (inVolume && textOf(reference.containerName) === '') causes.push(required(`${path}.containerName`))
  else if (resource === '') causes.push(required(`${path}.resource`))
  else if (!RESOURCES.includes(resource) && !hugePages) {
    causes.push(notSupported(`${path}.resource`, resource, RESOURCES.toSorted()))
  }
  const divisor = parseQuantity(reference.divisor)
  const allowed = resource.endsWith('.cpu') ? ['1m', '1'] : SIZES
  if (!divisor || divisor.nanos === 0n || !(RESOURCES.includes(resource) || hugePages)) return causes
  if (!allowed.includes(formatQuantity(divisor))) {
    causes.push(invalidValue(`${path}.divisor`, resource, `only divisor's values ${allowed.join(', ')} are supported`))
  }
  return causes
}

/** Variables from files need an emptyDir volume. */
export function fileVolumeErrors(env: unknown, path: string, volumes: ReadonlyMap<string, Fields>): Cause[] {
  return items(env, path).flatMap(({ item, path: at }) => {
    const reference = fieldsOf(item.valueFrom).fileKeyRef
    if (!isObject(reference)) return []
    const name = textOf(reference.volumeName)
    const field = `${at}.valueFrom.fileKeyRef.volumeName`
    const volume = volumes.get(name)
    if (!volume) return [notFoundValue(field, name)]
    return isSet(volume.emptyDir) ? [] : [invalidValue(field, name, 'referenced volume must be of type emptyDir')]
  })
}
