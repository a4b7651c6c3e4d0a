// Checks the spec of a claim, in a PersistentVolumeClaim or in a template of one.

import { deepEqual, formatQuantity, isObject, parseQuantity } from '@homeostat/meta'
import { type Cause, forbiddenField, invalidValue, notSupported, required } from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import { dnsLabel, dnsSubdomain, isSet, optionalChoice, requiredText, texts } from './field-checks.ts'
import { labelErrors, selectorErrors } from './label-checks.ts'

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']
export const VOLUME_MODES = ['Block', 'Filesystem']

export function claimSpecErrors(spec: Fields, path: string): Cause[] {
  return [
    ...accessModeErrors(spec.accessModes, `${path}.accessModes`),
    ...selectorErrors(`${path}.selector`, spec.selector),
    ...storageErrors(spec, `${path}.resources[storage]`),
    ...className(`${path}.storageClassName`, spec.storageClassName),
    ...optionalChoice(`${path}.volumeMode`, spec.volumeMode, VOLUME_MODES),
    ...dataSourceErrors(spec.dataSource, `${path}.dataSource`),
    ...dataSourceErrors(spec.dataSourceRef, `${path}.dataSourceRef`),
    ...sourcesAgree(spec, path),
    ...className(`${path}.volumeAttributesClassName`, spec.volumeAttributesClassName),
  ]
}

export function accessModeErrors(modes: unknown, path: string): Cause[] {
  const given = texts(modes)
  if (given.length === 0) return [required(path, 'at least 1 access mode is required')]
  const causes = given
    .filter((mode) => !ACCESS_MODES.includes(mode))
    .map((mode) => notSupported(path, mode, ACCESS_MODES))
  const known = new Set(given.filter((mode) => ACCESS_MODES.includes(mode)))
  if (known.has('ReadWriteOncePod') && known.size > 1) {
    causes.push(forbiddenField(path, 'may not use ReadWriteOncePod with other access modes'))
  }
  return causes
}

function storageErrors(spec: Fields, path: string): Cause[] {
  const { requests } = fieldsOf(spec.resources)
  const storage = parseQuantity(fieldsOf(requests).storage)
  if (!storage) return [required(path)]
  return storage.nanos > 0n ? [] : [invalidValue(path, formatQuantity(storage), 'must be greater than zero')]
}

export function className(path: string, value: unknown): Cause[] {
  return textOf(value) === '' ? [] : dnsSubdomain(path, value)
}

function dataSourceErrors(source: unknown, path: string): Cause[] {
  if (!isObject(source)) return []
  const group = textOf(source.apiGroup)
  const causes = [...requiredText(`${path}.name`, source.name), ...requiredText(`${path}.kind`, source.kind)]
  if (group !== '') causes.push(...dnsSubdomain(`${path}.apiGroup`, group))
  else if (source.kind !== 'PersistentVolumeClaim') {
    causes.push(
      invalidValue(path, textOf(source.kind), "must be 'PersistentVolumeClaim' when referencing the default apiGroup"),
    )
  }
  if (textOf(source.namespace) !== '') causes.push(...dnsLabel(`${path}.namespace`, source.namespace))
  return causes
}

function sourcesAgree(spec: Fields, path: string): Cause[] {
  const { dataSource, dataSourceRef } = spec
  if (!isObject(dataSource) || !isObject(dataSourceRef)) return []
  if (textOf(dataSourceRef.namespace) !== '') {
    return [invalidValue(path, 'dataSource', 'may not be specified when dataSourceRef.namespace is specified')]
  }
  const same = ['apiGroup', 'kind', 'name'].every((key) =>
    deepEqual(dataSource[key] ?? null, dataSourceRef[key] ?? null),
  )
  return same ? [] : [invalidValue(path, 'dataSource', 'must match dataSourceRef')]
}

/** A template may have labels and annotations, and no other metadata. */
export function claimTemplateErrors(template: Fields, path: string): Cause[] {
  const metadata = fieldsOf(template.metadata)
  const others = Object.keys(metadata).filter(
    (key) => !['labels', 'annotations'].includes(key) && isSomething(metadata[key]),
  )
  return [
    ...labelErrors(`${path}.metadata.labels`, metadata.labels),
    ...others.map((key) => forbiddenField(`${path}.metadata.${key}`, 'cannot be set')),
    ...claimSpecErrors(fieldsOf(template.spec), `${path}.spec`),
  ]
}

function isSomething(value: unknown): boolean {
  return isSet(value) && value !== '' && value !== 0 && !(Array.isArray(value) && listOf(value).length === 0)
}
