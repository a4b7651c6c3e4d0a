// Finds breaking changes between two definitions of a kind: objects that lose data or can no longer be written, and
// clients that use a removed name or version. Pure; `installDefinition` refuses a definition by it.

import { breaking, type DefinitionChange } from './definition-change.ts'
import type { CustomResourceDefinition, DefinitionVersion } from './definition-manifest.ts'
import { DROPPED, schemaChanges } from './schema-changes.ts'

export function breakingChanges(old: CustomResourceDefinition, now: CustomResourceDefinition): DefinitionChange[] {
  return [...identityChanges(old, now), ...versionChanges(old, now)]
}

function identityChanges(
  { spec: old }: CustomResourceDefinition,
  { spec: now }: CustomResourceDefinition,
): DefinitionChange[] {
  const changes: DefinitionChange[] = []
  const moved = (path: string, before: string, after: string, why: string) => {
    if (before !== after) changes.push(breaking(path, `changes from ${before} to ${after}`, why))
  }
  moved('spec.group', old.group, now.group, 'stored objects are under the old group')
  moved('spec.scope', old.scope, now.scope, 'stored objects have a namespace, or have none')
  moved('spec.names.plural', old.names.plural, now.names.plural, 'stored objects are under the old name')
  moved('spec.names.kind', old.names.kind, now.names.kind, 'stored objects are of the old kind')
  for (const name of ['singular', 'listKind'] as const) {
    const [before, after] = [old.names[name], now.names[name]]
    if (before === undefined || after === undefined || before === after) continue
    const why = 'clients may use the old name'
    changes.push({ path: `spec.names.${name}`, what: `changes from ${before} to ${after}`, why, breaking: false })
  }
  const gone = listOf(old.names.shortNames).filter((name) => !listOf(now.names.shortNames).includes(name))
  if (gone.length > 0) {
    const why = 'people may be used to it'
    changes.push({ path: 'spec.names.shortNames', what: `${gone.join(', ')} goes`, why, breaking: false })
  }
  return changes
}

function versionChanges(old: CustomResourceDefinition, now: CustomResourceDefinition): DefinitionChange[] {
  const stored = old.status?.storedVersions ?? []
  const changes: DefinitionChange[] = []
  for (const version of old.spec.versions) {
    const next = now.spec.versions.find((one) => one.name === version.name)
    const path = `spec.versions[${version.name}]`
    if (next !== undefined) changes.push(...oneVersion(version, next))
    else if (stored.includes(version.name)) {
      const why = 'it is among status.storedVersions: objects may be stored in it, and nobody could read them'
      changes.push(breaking(path, 'the version goes', why))
    } else changes.push(breaking(path, 'the version goes', 'clients may use it'))
  }
  const names = new Set(old.spec.versions.map((version) => version.name))
  for (const name of stored) {
    if (names.has(name) || now.spec.versions.some((version) => version.name === name)) continue
    const why = 'objects may be stored in it: migrate them and take it out of status.storedVersions first'
    changes.push(breaking(`status.storedVersions[${name}]`, 'the version is not there', why))
  }
  return changes
}

function oneVersion(old: DefinitionVersion, now: DefinitionVersion): DefinitionChange[] {
  const path = `spec.versions[${old.name}]`
  const changes: DefinitionChange[] = []
  if (old.served && !now.served) changes.push(breaking(path, 'is not served any more', 'clients may use it'))
  for (const part of ['status', 'scale'] as const) {
    if (old.subresources?.[part] !== undefined && now.subresources?.[part] === undefined) {
      changes.push(breaking(`${path}.subresources.${part}`, 'the subresource goes', 'clients may use it'))
    }
  }
  for (const { jsonPath } of old.selectableFields ?? []) {
    if ((now.selectableFields ?? []).some((field) => field.jsonPath === jsonPath)) continue
    changes.push(
      breaking(`${path}.selectableFields`, `${jsonPath} goes`, 'lists and watches that select by it are refused'),
    )
  }
  const [before, after] = [old.schema?.openAPIV3Schema ?? {}, now.schema?.openAPIV3Schema ?? {}]
  const fields = schemaChanges(before, after, '').map((change) => ({
    ...change,
    path: `${old.name} ${change.path.replace(/^\./, '')}`,
    // A dropped status value does not break: an operator that still needs it writes it again.
    breaking: change.breaking && !(change.why === DROPPED && /^\.status\b/.test(change.path)),
  }))
  return [...changes, ...fields]
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
