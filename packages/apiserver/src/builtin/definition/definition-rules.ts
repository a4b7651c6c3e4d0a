// The validation of a CustomResourceDefinition and its warnings.

import { deepEqual, type KubeObject } from '@homeostat/meta'
import { usesCel } from '@homeostat/schema/server'
import type { KindRules } from '../schema-strategy.ts'
import { asDefinition } from './definition.ts'
import { validateDefinition, validateDefinitionUpdate } from './definition-validation.ts'
import { schemaPlaces } from './definition-version-validation.ts'
import { definitionWarnings } from './definition-warnings.ts'
import { SchemaChecks, type SchemaPlace } from './schema-check.ts'

export function definitionRules(): Partial<KindRules> {
  const checks = new SchemaChecks()
  return {
    beforeValidation: (object, old, isLarge) => checkSchemasAhead(object, old, isLarge, checks),
    validate: (object) => validateDefinition(asDefinition(object), checks),
    validateUpdate: (object, old) => validateDefinitionUpdate(asDefinition(object), asDefinition(old), checks),
    warnings: (object, old) => definitionWarnings(asDefinition(object), old && asDefinition(old), checks),
  }
}

/** A status, or metadata, can be written without a look at the schemas. */
function checkSchemasAhead(
  object: KubeObject,
  old: KubeObject | undefined,
  isLarge: boolean,
  checks: SchemaChecks,
): Promise<void> | undefined {
  if (old !== undefined && deepEqual(object.spec, old.spec)) return undefined
  const places = schemaPlaces(asDefinition(object).spec, old && asDefinition(old).spec)
  return isLarge || places.some(({ schema }) => usesCel(schema)) ? checkAll(places, checks) : undefined
}

async function checkAll(places: readonly SchemaPlace[], checks: SchemaChecks): Promise<void> {
  for (const place of places) await checks.checkAhead(place)
}
