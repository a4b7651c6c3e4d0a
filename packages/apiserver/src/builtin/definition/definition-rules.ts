// The validation of a CustomResourceDefinition and its warnings.

import { deepEqual, type KubeObject } from '@homeostat/meta'
import type { KindRules } from '../schema-strategy.ts'
import { asDefinition } from './definition.ts'
import { validateDefinition, validateDefinitionUpdate } from './definition-validation.ts'
import { schemaPlaces } from './definition-version-validation.ts'
import { definitionWarnings } from './definition-warnings.ts'
import { checkYielding } from './schema-check.ts'

export const definitionRules: Partial<KindRules> = {
  beforeValidation,
  validate: (object) => validateDefinition(asDefinition(object)),
  validateUpdate: (object, old) => validateDefinitionUpdate(asDefinition(object), asDefinition(old)),
  warnings: (object, old) => definitionWarnings(asDefinition(object), old && asDefinition(old)),
}

/** Checks the schemas and yields between steps. A write that leaves the spec unchanged needs no check. */
async function beforeValidation(object: KubeObject, old: KubeObject | undefined): Promise<void> {
  if (old !== undefined && deepEqual(object.spec, old.spec)) return
  for (const place of schemaPlaces(asDefinition(object).spec)) await checkYielding(place)
}
