// Every rule that the schema of a CustomResourceDefinition must satisfy before the server accepts the definition.

import type { Cel } from '@homeostat/cel/without-compiler'
import { type Cause, forbiddenField, invalidValue } from '@homeostat/meta/server'
import { formatFor } from '../format/formats.ts'
import { type JsonSchema, stringOf } from '../json-schema.ts'
import { hasRules } from '../rules/rule-node.ts'
import { defaultSteps } from './default-rules.ts'
import { keywordRules } from './keyword-rules.ts'
import { bounded, checkLimits } from './limits.ts'
import { patternRules } from './pattern-rules.ts'
import { RuleReport } from './rule-report.ts'
import { type RuleScope, rootScope } from './rule-scope.ts'
import { SchemaWalk, type Steps } from './schema-walk.ts'
import { structuralRules } from './structural-rules.ts'
import { allSchemas } from './sub-schemas.ts'
import { isSet, unsupported } from './unsupported.ts'
import { completeness } from './value-rules.ts'

export interface DefinitionCheck {
  causes: Cause[]
  warnings: string[]
}

export interface DefinitionOptions {
  /** With a status subresource the root may say less, so that the schema of status stands alone. Default false. */
  statusSubresource?: boolean
  /** The schema is stored already, so that its rules (x-kubernetes-validations) are not judged again. Default false. */
  stored?: boolean
  /** Compiles patterns and rules; needed for a schema that `usesCel`. */
  cel?: Cel | undefined
}

/**
 * Fields of causes start with `path`. A generator: a schema near the limits takes long, and the server yields to the event
 * loop between steps.
 */
export function* definitionSteps(
  schema: JsonSchema,
  path: string,
  options: DefinitionOptions = {},
): Steps<DefinitionCheck> {
  const { cel } = options
  const walk = new SchemaWalk()
  const limit = yield* checkLimits(schema, path, walk)
  if (limit !== undefined) return { causes: [limit], warnings: [] }
  yield
  const causes: Cause[] = options.statusSubresource ? rootRules(schema, path) : []
  if (schema.nullable === true) causes.push(forbiddenField(`${path}.nullable`, 'nullable cannot be true at the root'))
  const unreadable = yield* unsupported(schema, walk)
  yield
  const judged = options.stored !== true && hasRules(schema)
  let rules: RuleScope | undefined
  if (unreadable === undefined) {
    const structural = yield* structuralRules(schema, 'root', path, walk)
    yield
    structural.push(...(yield* completeness(schema, schema, path, path, walk)))
    yield
    if (cel !== undefined) structural.push(...(yield* patternRules(schema, path, walk, cel)))
    yield
    const found =
      structural.length > 0 ? inOrder(structural) : yield* defaultSteps(schema, path, walk, { withRules: judged, cel })
    causes.push(...found)
    if (judged && found.length === 0) rules = rootScope(schema)
    yield
  }
  const report = new RuleReport(cel)
  causes.push(...(yield* keywordRules(schema, path, walk, report, rules)))
  causes.push(...report.causes(path))
  yield
  if (causes.length === 0 && unreadable !== undefined) causes.push(invalidValue(path, '', unreadable))
  return { causes: bounded(causes), warnings: formatWarnings(schema) }
}

const rootKeywords = new Set(
  `description type format title maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems
  minItems uniqueItems multipleOf required items properties externalDocs example x-kubernetes-preserve-unknown-fields
  x-kubernetes-validations nullable`.split(/\s+/),
)

function rootRules(schema: JsonSchema, path: string): Cause[] {
  const type = stringOf(schema.type)
  const whenStatus = 'at the root of the schema if the status subresource is enabled'
  if (type !== '' && type !== 'object') {
    return [invalidValue(`${path}.type`, type, `only "object" is allowed as the type ${whenStatus}`)]
  }
  const other = Object.keys(schema).find((keyword) => !rootKeywords.has(keyword) && isSet(schema[keyword]))
  if (other === undefined) return []
  return [invalidValue(path, other, `is not one of the fields that are allowed ${whenStatus}`)]
}

function inOrder(causes: Cause[]): Cause[] {
  const text = (cause: Cause) => `${cause.field}: ${cause.message}`
  return causes.sort((a, b) => (text(a) < text(b) ? -1 : 1))
}

/** For strings only: formats of other types are never checked, so no warning is due. */
export function formatWarnings(root: JsonSchema): string[] {
  const warnings: string[] = []
  for (const { schema } of allSchemas(root)) {
    const format = stringOf(schema.format)
    if (format !== '' && schema.type === 'string' && formatFor('string', format) === undefined) {
      warnings.push(`unrecognized format ${JSON.stringify(format)}`)
    }
  }
  return warnings
}
