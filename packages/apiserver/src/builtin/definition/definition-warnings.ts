// Warnings about parts of an accepted definition that have no effect. The server sends them as Warning headers.

import { deepEqual } from '@homeostat/meta'
import { parseJsonPath } from '@homeostat/meta/json-path'
import { formatWarnings, hasValidationRules } from '@homeostat/schema/definition'
import { type Definition, type DefinitionSpec, type DefinitionVersion, hasConversionWebhook } from './definition.ts'
import type { SchemaChecks } from './schema-check.ts'

export function definitionWarnings({ spec }: Definition, old: Definition | undefined, checks: SchemaChecks): string[] {
  // Writes that leave spec alone are mostly those of controllers, which nobody reads the headers of.
  if (old !== undefined && deepEqual(old.spec, spec)) return []
  const known = new Set(old?.spec.versions.flatMap(({ schema }) => formatWarnings(schema?.openAPIV3Schema ?? {})))
  const warnings = [
    ...conversionWarnings(spec),
    ...spec.versions.flatMap((version) => versionWarnings(version, checks)),
  ]
  return [...new Set(warnings)].filter((warning) => !known.has(warning))
}

function conversionWarnings(spec: DefinitionSpec): string[] {
  if (!hasConversionWebhook(spec)) return []
  const stored = spec.versions.find(({ storage }) => storage)
  const others = spec.versions.filter(({ served, storage }) => served && !storage).map(({ name }) => name)
  const unserved = others.length === 0 ? '' : `; ${others.join(', ')} cannot be requested`
  const what = stored?.served
    ? `served in ${stored.name} alone, the version they are stored in`
    : `not served, because ${stored?.name}, the version they are stored in, is not`
  return [`spec.conversion: conversion webhooks are not called: objects are ${what}${unserved}`]
}

function versionWarnings(version: DefinitionVersion, checks: SchemaChecks): string[] {
  const { name, schema, additionalPrinterColumns = [] } = version
  const openapi = schema?.openAPIV3Schema ?? {}
  const warnings = [...checks.warnings(openapi)]
  if (hasValidationRules(openapi)) warnings.push(`version ${name}: x-kubernetes-validations are not checked yet`)
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
