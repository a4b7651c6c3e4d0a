// Warnings about parts of an accepted definition that have no effect. The server sends them as Warning headers.

import { deepEqual } from '@homeostat/meta'
import { parseJsonPath } from '@homeostat/meta/json-path'
import { formatWarnings } from '@homeostat/schema/definition'
import type { Definition, DefinitionVersion } from './definition.ts'
import type { SchemaChecks } from './schema-check.ts'

export function definitionWarnings({ spec }: Definition, old: Definition | undefined, checks: SchemaChecks): string[] {
  // Writes that leave spec alone are mostly those of controllers, which nobody reads the headers of.
  if (old !== undefined && deepEqual(old.spec, spec)) return []
  const known = new Set(old?.spec.versions.flatMap(({ schema }) => formatWarnings(schema?.openAPIV3Schema ?? {})))
  const warnings = [...spec.versions.flatMap((version) => versionWarnings(version, checks))]
  return [...new Set(warnings)].filter((warning) => !known.has(warning))
}

function versionWarnings(version: DefinitionVersion, checks: SchemaChecks): string[] {
  const { name, schema, additionalPrinterColumns = [] } = version
  const openapi = schema?.openAPIV3Schema ?? {}
  const warnings = [...checks.warnings(openapi)]
  for (const column of additionalPrinterColumns) {
    if (!canParse(column.jsonPath)) {
      warnings.push(`version ${name}: column "${column.name}" has a JSONPath that cannot be read: ${column.jsonPath}`)
    }
  }
  return warnings
}

function canParse(jsonPath: string): boolean {
  try {
    parseJsonPath(jsonPath)
    return true
  } catch {
    return false
  }
}
