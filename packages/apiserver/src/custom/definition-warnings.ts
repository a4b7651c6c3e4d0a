// What an accepted definition asks for that will not happen. Sent as Warning headers with the write.

import { deepEqual, parseJsonPath } from '@homeostat/meta'
import { fieldsOf, isFields, listOf } from '../builtin/fields-of.ts'
import type { Definition, DefinitionVersion } from './definition.ts'
import { schemaWarnings } from './schema-check.ts'

export function definitionWarnings({ spec }: Definition, old: Definition | undefined): string[] {
  // Writes that leave spec alone are mostly those of controllers, which nobody reads the headers of.
  if (old !== undefined && deepEqual(old.spec, spec)) return []
  return [...new Set(spec.versions.flatMap(versionWarnings))]
}

function versionWarnings(version: DefinitionVersion): string[] {
  const { name, schema, selectableFields = [], additionalPrinterColumns = [] } = version
  const openapi = schema?.openAPIV3Schema ?? {}
  const warnings = [...schemaWarnings(openapi)]
  if (hasRules(openapi)) warnings.push(`version ${name}: x-kubernetes-validations are not checked yet`)
  if (selectableFields.length > 0) warnings.push(`version ${name}: selectableFields are not supported yet`)
  for (const column of additionalPrinterColumns) {
    if (!canParse(column.jsonPath)) {
      warnings.push(`version ${name}: column "${column.name}" has a JSONPath that cannot be read: ${column.jsonPath}`)
    }
  }
  return warnings
}

const NAMED_SCHEMAS = ['properties', 'patternProperties', 'definitions']
const SCHEMAS = ['items', 'additionalProperties', 'allOf', 'anyOf', 'oneOf', 'not']

function hasRules(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(hasRules)
  if (!isFields(schema)) return false
  return (
    listOf(schema['x-kubernetes-validations']).length > 0 ||
    SCHEMAS.some((keyword) => hasRules(schema[keyword])) ||
    NAMED_SCHEMAS.some((keyword) => Object.values(fieldsOf(schema[keyword])).some(hasRules))
  )
}

function canParse(jsonPath: string): boolean {
  try {
    parseJsonPath(jsonPath)
    return true
  } catch {
    return false
  }
}
