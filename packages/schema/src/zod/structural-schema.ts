// A Zod schema as the structural schema of a CustomResourceDefinition. Zod's input type is what
// users write and servers check. Definitions call it. It never guesses: a SchemaError lists everything that it cannot
// express, with its path.

import { type JsonSchema, stringOf } from '../json-schema.ts'
import { validateDefinitionSchema } from '../with-cel.ts'
import { addRule } from './cel.ts'
import { hoistDefaults } from './defaults.ts'
import { applyMetadata } from './metadata.ts'
import { ruleOf } from './rule.ts'
import { translations } from './translate.ts'
import type { Column, Place, ScalePaths, Walk } from './walk.ts'
import { checksOf, metaOf, typeOf, type ZodSchema } from './zod-schema.ts'

export interface StructuralOptions {
  /** Where the schema stands in the object: paths of messages and columns begin with it. Default `spec`. */
  path?: string
  /** How often a schema that contains itself is written out before anything is let through. Default 3. */
  recursion?: number
}

export interface Structural {
  schema: JsonSchema
  /** What the server does not check, or what has no effect there. Each begins with a path. */
  warnings: string[]
  columns: Column[]
  selectableFields: { jsonPath: string }[]
  scale: ScalePaths
  /** `.meta({ deprecated: true })` on the whole schema. */
  deprecated: boolean
}

/** A schema that no server would accept. */
export class SchemaError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`the schema cannot be part of a CustomResourceDefinition:\n${problems.map((one) => `  ${one}`).join('\n')}`)
    this.name = 'SchemaError'
    this.problems = problems
  }
}

const MAX_SCHEMAS = 10_000
/** What servers allow per version. */
const MAX_SELECTABLE = 8

export function structuralSchema(zod: ZodSchema, options: StructuralOptions = {}): Structural {
  const { path = 'spec', recursion = 3 } = options
  const walk = new SchemaWalk(recursion)
  const node = walk.node(zod, { path, jsonPath: `.${path}`, correlated: true, around: [] })
  const schema = hoistDefaults(node)
  const { found } = walk
  const problems = [...found.problems]
  if (found.selectable.size > MAX_SELECTABLE)
    problems.push(`${path}: at most ${MAX_SELECTABLE} fields can be selectable`)
  if (problems.length === 0) problems.push(...serverProblems(schema, path))
  if (problems.length > 0) throw new SchemaError(problems)
  return {
    schema,
    warnings: [...found.warnings],
    columns: [...found.columns.values()],
    selectableFields: [...found.selectable].map((jsonPath) => ({ jsonPath })),
    scale: found.scale,
    deprecated: metaOf(zod).deprecated === true,
  }
}

const REFINED =
  '.refine(), .superRefine() or .check() is checked by the operator only; k8s.rule() says it to the server, too'

/** Lists that servers know to be sets or maps; z.custom(), of which more is said elsewhere. */
function isCheckedOtherwise(schema: ZodSchema): boolean {
  return typeOf(schema) === 'custom' || 'x-kubernetes-list-type' in metaOf(schema)
}

class SchemaWalk implements Walk {
  readonly recursion: number
  readonly found = {
    problems: new Set<string>(),
    warnings: new Set<string>(),
    columns: new Map<string, Column>(),
    selectable: new Set<string>(),
    scale: {} as ScalePaths,
  }
  #visited = 0

  constructor(recursion: number) {
    this.recursion = recursion
  }

  node(schema: ZodSchema, place: Place): JsonSchema {
    this.#visited += 1
    if (this.#visited > MAX_SCHEMAS) {
      if (this.#visited === MAX_SCHEMAS + 1) this.problem(place, `the schema has more than ${MAX_SCHEMAS} parts`)
      return {}
    }
    if (place.around.filter((one) => one === schema).length > this.recursion) return this.#cut(schema, place)
    const translate = translations[typeOf(schema)]
    if (translate === undefined) {
      this.problem(
        place,
        `z.${typeOf(schema)}() is nothing that JSON can hold: use another type, or leave the field out`,
      )
      return {}
    }
    let node = translate(this, schema, { ...place, around: [...place.around, schema] })
    for (const check of checksOf(schema)) {
      const rule = ruleOf(check)
      if (rule !== undefined) node = addRule(node, rule)
      else if (check.check === 'custom' && !isCheckedOtherwise(schema)) this.warn(place, REFINED)
    }
    return applyMetadata(this, node, metaOf(schema), place)
  }

  #cut(schema: ZodSchema, place: Place): JsonSchema {
    this.warn(place, 'the schema contains itself: from here on the server keeps everything, and the operator checks it')
    const type = typeOf(schema) === 'object' ? { type: 'object' } : {}
    return { ...type, 'x-kubernetes-preserve-unknown-fields': true }
  }

  problem(place: Place, message: string): void {
    this.found.problems.add(`${place.path}: ${message}`)
  }

  warn(place: Place, message: string): void {
    this.found.warnings.add(`${place.path}: ${message}`)
  }

  column(column: Column): void {
    this.found.columns.set(column.jsonPath, column)
  }

  selectable(jsonPath: string): void {
    this.found.selectable.add(jsonPath)
  }

  scale(part: keyof ScalePaths, jsonPath: string): void {
    this.found.scale[part] = jsonPath
  }
}

/** The same questions that a server asks, so that no definition is refused after it was built. */
function serverProblems(schema: JsonSchema, path: string): string[] {
  const root: JsonSchema = { type: 'object', properties: { [path]: schema } }
  const { causes } = validateDefinitionSchema(root, '', { statusSubresource: true })
  return causes.map(({ field = '', message }) => `${shortPath(field, path)}: ${stringOf(message)}`)
}

/** `.properties[spec].properties[a].items` is `spec.a[]`. */
function shortPath(field: string, path: string): string {
  const short = field.replaceAll(
    /\.properties\[([^\]]+)\]|\.items(?=[.[]|$)|\.additionalProperties(?=[.[]|$)/g,
    (step, name) => {
      if (name !== undefined) return `.${name}`
      return step === '.items' ? '[]' : '.*'
    },
  )
  return short.startsWith('.') ? short.slice(1) : short || path
}
