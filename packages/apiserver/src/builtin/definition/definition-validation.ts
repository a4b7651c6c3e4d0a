// Validates a definition, with the field paths and reasons of Kubernetes. The definition kind calls it. Package
// @homeostat/schema checks the schemas themselves.

import { deepEqual, dns1035Label, dns1123Subdomain } from '@homeostat/meta'
import { type Cause, invalidValue, notSupported, required } from '@homeostat/meta/server'
import { APPROVAL_ANNOTATION, approvalOf } from './api-approval.ts'
import { conversionErrors } from './conversion-validation.ts'
import { conditionTrue, type Definition, type DefinitionNames } from './definition.ts'
import { versionErrors } from './definition-version-validation.ts'
import type { SchemaChecks } from './schema-check.ts'

export function validateDefinition(definition: Definition, checks: SchemaChecks): Cause[] {
  return [
    ...ownNameErrors(definition),
    ...specErrors(definition, checks),
    ...nameErrors(definition.status.acceptedNames, 'status.acceptedNames'),
    ...storedVersionErrors(definition),
    ...approvalErrors(definition),
    ...preserveErrors(definition),
  ]
}

export function validateDefinitionUpdate(definition: Definition, old: Definition, checks: SchemaChecks): Cause[] {
  const { spec } = definition
  const causes = nameErrors(definition.status.acceptedNames, 'status.acceptedNames')
  const sameSpec = deepEqual(spec, old.spec)
  // A status write may set any storedVersions: only the client that migrated the objects knows them.
  if (!sameSpec) causes.push(...storedVersionErrors(definition))
  if (approvalOf(definition)?.state !== approvalOf(old)?.state) causes.push(...approvalErrors(definition))
  // An unchanged spec was accepted once and stays valid; status is written more often than spec.
  if (sameSpec) return causes
  // Once the definition is established, objects are stored under its scope and kind.
  const frozen = conditionTrue(old, 'Established')
  return [
    ...specErrors(definition, checks, old),
    ...(frozen ? immutable('spec.scope', spec.scope, old.spec.scope) : []),
    ...(frozen ? immutable('spec.names.kind', spec.names.kind, old.spec.names.kind) : []),
    ...immutable('spec.group', spec.group, old.spec.group),
    ...immutable('spec.names.plural', spec.names.plural, old.spec.names.plural),
    ...causes,
    ...(old.spec.preserveUnknownFields === true ? [] : preserveErrors(definition)),
  ]
}

function specErrors({ spec }: Definition, checks: SchemaChecks, old?: Definition): Cause[] {
  return [
    ...groupErrors(spec.group),
    ...scopeErrors(spec.scope),
    ...versionErrors(spec, checks, old?.spec),
    ...requiredNames(spec.names),
    ...nameErrors(spec.names, 'spec.names'),
    ...conversionErrors(spec, old),
  ]
}

function ownNameErrors({ metadata, spec }: Definition): Cause[] {
  if (!metadata.name || metadata.name === `${spec.names.plural}.${spec.group}`) return []
  return [invalidValue('metadata.name', metadata.name, 'must be spec.names.plural+"."+spec.group')]
}

function preserveErrors({ spec }: Definition): Cause[] {
  if (spec.preserveUnknownFields !== true) return []
  const rule = 'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead'
  return [invalidValue('spec.preserveUnknownFields', true, rule)]
}

function groupErrors(group: string): Cause[] {
  if (group === '') return [required('spec.group', '')]
  const messages = dns1123Subdomain(group)
  if (messages.length > 0) return [invalidValue('spec.group', group, messages.join(','))]
  return group.includes('.') ? [] : [invalidValue('spec.group', group, 'should be a domain with at least one dot')]
}

function scopeErrors(scope: string): Cause[] {
  if (scope === '') return [required('spec.scope', '')]
  return ['Cluster', 'Namespaced'].includes(scope) ? [] : [notSupported('spec.scope', scope, ['Cluster', 'Namespaced'])]
}

function requiredNames(names: DefinitionNames): Cause[] {
  const fields = ['plural', 'singular', 'kind', 'listKind'] as const
  return fields.filter((field) => !names[field]).map((field) => required(`spec.names.${field}`, ''))
}

function nameErrors(names: DefinitionNames, path: string): Cause[] {
  const check = (field: string, value: string, hint = ''): Cause[] => {
    const messages = dns1035Label(hint === '' ? value : value.toLowerCase())
    return messages.length === 0 ? [] : [invalidValue(`${path}.${field}`, value, hint + messages.join(','))]
  }
  const mixedCase = 'may have mixed case, but should otherwise match: '
  return [
    ...(names.plural ? check('plural', names.plural) : []),
    ...(names.singular ? check('singular', names.singular) : []),
    ...(names.kind ? check('kind', names.kind, mixedCase) : []),
    ...(names.listKind ? check('listKind', names.listKind, mixedCase) : []),
    ...(names.shortNames ?? []).flatMap((name, index) => check(`shortNames[${index}]`, name)),
    ...(names.kind !== '' && names.kind === names.listKind
      ? [invalidValue(`${path}.listKind`, names.listKind, 'kind and listKind may not be the same')]
      : []),
    ...(names.categories ?? []).flatMap((name, index) => check(`categories[${index}]`, name)),
  ]
}

function storedVersionErrors({ spec, status }: Definition): Cause[] {
  const stored = status.storedVersions ?? []
  if (stored.length === 0) {
    return [invalidValue('status.storedVersions', status.storedVersions, 'must have at least one stored version')]
  }
  const versions = spec.versions ?? []
  const names = new Set(versions.map((version) => version.name))
  const missing = versions.filter(({ name, storage }) => storage && !stored.includes(name))
  const gone = stored.flatMap((name, index) =>
    names.has(name)
      ? []
      : [
          invalidValue(
            `status.storedVersions[${index}]`,
            name,
            `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions ` +
              `until a storage migration ensures no data remains persisted in ${name} and removes ${name} from ` +
              'status.storedVersions',
          ),
        ],
  )
  return [
    ...missing.map(({ name }) =>
      invalidValue('status.storedVersions', stored, `must have the storage version ${name}`),
    ),
    ...gone,
  ]
}

function approvalErrors(definition: Definition): Cause[] {
  const approval = approvalOf(definition)
  const field = `metadata.annotations[${APPROVAL_ANNOTATION}]`
  if (approval?.state === 'Missing') return [required(field, approval.message)]
  if (approval?.state !== 'Invalid') return []
  return [invalidValue(field, definition.metadata.annotations?.[APPROVAL_ANNOTATION] ?? '', approval.message)]
}

function immutable(field: string, value: string, old: string): Cause[] {
  return value === old ? [] : [invalidValue(field, value, 'field is immutable')]
}
