// The `fieldPath` of a rule: `.field.other` and `['key']`, through properties and additionalProperties of the schema at which
// the rule stands.

import { additionalOf, type JsonSchema, schemaOf } from '../json-schema.ts'

const STEP = /\.([^.[\]']+)|\['((?:[^'\\]|\\.)*)'\]/y

/** The path as causes name it, with keys of maps in brackets; undefined when it leads to no field. */
export function relativePath(root: JsonSchema, text: string): string | undefined {
  let schema: JsonSchema | undefined = root
  let path = ''
  const step = new RegExp(STEP)
  while (step.lastIndex < text.length) {
    const found = step.exec(text)
    if (found === null || schema === undefined) return undefined
    const name = found[1] ?? (found[2] ?? '').replace(/\\(.)/g, '$1')
    const property: JsonSchema | undefined = ownProperty(schema, name)
    if (property !== undefined) {
      path += path === '' ? name : `.${name}`
      schema = property
      continue
    }
    const additional: JsonSchema | boolean | undefined = additionalOf(schema.additionalProperties)
    if (additional === undefined || additional === false) return undefined
    path += `[${name}]`
    schema = additional === true ? undefined : additional
  }
  return path
}

/** A look-up, whatever the number of properties: every rule of a schema may have a path. */
function ownProperty({ properties }: JsonSchema, name: string): JsonSchema | undefined {
  const all = schemaOf(properties)
  return all !== undefined && Object.hasOwn(all, name) ? schemaOf(all[name]) : undefined
}
