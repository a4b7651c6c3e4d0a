// The validation of a CustomResourceDefinition and its warnings.

import { deepEqual, type KubeObject } from '@homeostat/meta'
import type { KindRules } from '../schema-strategy.ts'
import { asDefinition } from './definition.ts'
import { validateDefinition, validateDefinitionUpdate } from './definition-validation.ts'
import { schemaPlaces } from './definition-version-validation.ts'
import { definitionWarnings } from './definition-warnings.ts'
import { SchemaChecks } from './schema-check.ts'

export function definitionRules(): Partial<KindRules> {
  const checks = new SchemaChecks()
  return {
    beforeValidation: (object, old) => checkSchemasAhead(object, old, checks),
    validate: (object) => validateDefinition(asDefinition(object), checks),
    validateUpdate: (object, old) => validateDefinitionUpdate(asDefinition(object), asDefinition(old), checks),
    warnings: (object, old) => definitionWarnings(asDefinition(object), old && asDefinition(old), checks),
  }
}

/** A status, or metadata, can be written without a look at the schemas. */
async function checkSchemasAhead(object: KubeObject, old: KubeObject | undefined, checks: SchemaChecks): Promise<void> {
  if (old !== undefined && deepEqual(object.spec, old.spec)) return
  for (const place of schemaPlaces(asDefinition(object).spec, old && asDefinition(old).spec))
    await checks.checkAhead(place)
}
