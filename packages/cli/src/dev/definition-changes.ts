// What changed between two definitions of a kind, as lines for a person: `+ spec.replicas  integer, default 1`. Pure.

import { writeJson } from '@homeostat/meta'

interface Schema {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly [rule: string]: unknown
}

interface Version {
  readonly name: string
  readonly schema?: { readonly openAPIV3Schema?: Schema }
  readonly [part: string]: unknown
}

/** The parts of a CustomResourceDefinition that are compared. */
export interface DefinitionSpec {
  readonly spec: { readonly versions: readonly Version[]; readonly [part: string]: unknown }
}

export interface ChangeLine {
  readonly sign: '+' | '-' | '~'
  readonly text: string
}

export function definitionChanges(old: DefinitionSpec, now: DefinitionSpec): ChangeLine[] {
  const isSingle = old.spec.versions.length === 1 && now.spec.versions.length === 1
  const places = (definition: DefinitionSpec) => placesOf(definition, isSingle)
  const [before, after] = [places(old), places(now)]
  const lines: ChangeLine[] = []
  for (const [place, text] of after) {
    const was = before.get(place)
    if (was === undefined) lines.push({ sign: '+', text: joined(place, text) })
    else if (String(was) !== String(text)) lines.push({ sign: '~', text: joined(place, changeOf(was, text)) })
  }
  for (const [place, text] of before) if (!after.has(place)) lines.push({ sign: '-', text: joined(place, text) })
  return lines
}

/** What is said of a field, e.g. `integer`, `default 1`, `minimum 0`; or the value of another part of the definition. */
type Facts = readonly string[]

function placesOf({ spec }: DefinitionSpec, isSingle: boolean): Map<string, Facts> {
  const places = new Map<string, Facts>()
  const { versions, ...parts } = spec
  for (const [part, value] of Object.entries(parts)) addPart(places, part, value)
  for (const { name, schema, ...rest } of versions) {
    const prefix = isSingle ? '' : `${name} `
    for (const [part, value] of Object.entries(rest)) addPart(places, `${prefix}${part}`, value)
    addFields(places, prefix, '', schema?.openAPIV3Schema ?? {}, undefined)
  }
  return places
}

/** One line for each name or column, so that a change of one does not show all of them. */
function addPart(places: Map<string, Facts>, place: string, value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) {
      const name = (item as { readonly name?: unknown } | null)?.name
      if (typeof name === 'string') places.set(`${place} ${name}`, [])
      else places.set(`${place} ${writeJson(item)}`, [])
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) addPart(places, `${place}.${key}`, item)
  } else if (value !== undefined) places.set(place, [writeJson(value)])
}

function addFields(
  places: Map<string, Facts>,
  prefix: string,
  path: string,
  schema: Schema,
  isRequired: boolean | undefined,
): void {
  if (path !== '') places.set(`${prefix}${path}`, describe(schema, isRequired))
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const isNeeded = schema.required?.includes(name) ?? false
    addFields(places, prefix, path === '' ? name : `${path}.${name}`, field, isNeeded)
  }
  if (schema.items !== undefined) addFields(places, prefix, `${path}[]`, schema.items, undefined)
  const { additionalProperties: others } = schema
  if (typeof others === 'object') addFields(places, prefix, `${path}.*`, others, undefined)
}

/** Rules of a schema whose value explains itself after their name, e.g. `minimum 0`. */
const RULES = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'nullable',
  'not',
  'oneOf',
  'anyOf',
  'allOf',
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
]

/** `integer, default 1, minimum 0`, `string, required`, `"a" | "b", optional`. */
function describe(schema: Schema, isRequired: boolean | undefined): Facts {
  // The format of a number is that of its storage; only that of a text means something to a person.
  const plain = (schema.type === 'string' ? schema.format : undefined) ?? schema.type ?? 'any'
  const type = schema.enum?.map((one) => writeJson(one)).join(' | ') ?? plain
  const need =
    schema.default !== undefined
      ? `default ${writeJson(schema.default)}`
      : isRequired === undefined
        ? ''
        : isRequired
          ? 'required'
          : 'optional'
  const rules = RULES.flatMap((rule) => {
    const value = schema[rule]
    if (value === undefined) return []
    return [value === true ? rule : `${rule} ${typeof value === 'string' ? value : writeJson(value)}`]
  })
  return [type, need, ...rules].filter(Boolean)
}

/** `default 1 -> default 3`: only the facts that differ. */
function changeOf(was: Facts, now: Facts): Facts {
  const [gone, come] = [was.filter((fact) => !now.includes(fact)), now.filter((fact) => !was.includes(fact))]
  if (gone.length === 0) return [`now ${come.join(', ')}`]
  if (come.length === 0) return [`no longer ${gone.join(', ')}`]
  return [`${gone.join(', ')} -> ${come.join(', ')}`]
}

function joined(place: string, facts: Facts): string {
  return facts.length === 0 ? place : `${place}  ${facts.join(', ')}`
}
