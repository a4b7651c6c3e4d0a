// Records and maps: any keys with values of one schema, or a field for each key when the keys are known.

import { type JsonSchema, stringOf } from '../json-schema.ts'
import { addRule, celText } from './cel.ts'
import { fieldPlace, type Place, type Translate, valuePlace, type Walk } from './walk.ts'
import { defOf, isOptional, metaOf, schemaAt, type ZodSchema } from './zod-schema.ts'

export const translateRecord: Translate = (walk, schema, place) => {
  const keyType = schemaAt(schema, 'keyType')
  const valueType = schemaAt(schema, 'valueType')
  const { mode, partial } = defOf(schema)
  if (mode === 'loose') {
    walk.warn(place, 'a loose record is kept by the server as it is and checked by the operator only')
    return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  }
  const keys = walk.node(keyType, { ...place, path: `${place.path} (keys)`, jsonPath: undefined })
  if (Array.isArray(keys.enum)) {
    // Zod 4.1 has no `partial`: it forgets the values of the keys instead.
    const all = partial !== true && keyType._zod.values !== undefined && !isOptional(valueType)
    return fieldPerKey(walk, keys.enum, valueType, place, all)
  }
  const node: JsonSchema = { type: 'object', additionalProperties: walk.node(valueType, valuePlace(place)) }
  return keyRule(walk, node, keys, Number(metaOf(schema).maxProperties), place)
}

export const translateMap: Translate = (walk, schema, place) => {
  const keys = walk.node(schemaAt(schema, 'keyType'), { ...place, path: `${place.path} (keys)`, jsonPath: undefined })
  if (keys.type !== 'string') walk.problem(place, 'the keys of a z.map() have to be strings, since JSON has no others')
  const node = { type: 'object', additionalProperties: walk.node(schemaAt(schema, 'valueType'), valuePlace(place)) }
  return keyRule(walk, node, keys, Number(metaOf(schema).maxProperties), place)
}

function fieldPerKey(walk: Walk, keys: unknown[], valueType: ZodSchema, place: Place, all: boolean): JsonSchema {
  const names = keys.filter((key) => key !== null).map(String)
  const properties = Object.fromEntries(names.map((name) => [name, walk.node(valueType, fieldPlace(place, name))]))
  return { type: 'object', properties, ...(all && { required: names }) }
}

/** Structural schemas say nothing of keys. A rule can, on a server that runs rules, when the number of keys is bounded. */
function keyRule(walk: Walk, node: JsonSchema, keys: JsonSchema, maxProperties: number, place: Place): JsonSchema {
  const { type, ...checks } = keys
  if (type === 'string' && Object.keys(checks).length === 0) return node
  const pattern = stringOf(checks.pattern)
  const simple = pattern !== '' && Object.keys(checks).length === 1
  if (!simple || !(maxProperties > 0)) {
    const more = simple ? '; with .meta({ maxProperties: … }) a server can do it' : ''
    walk.warn(place, `the keys are checked by the operator only${more}`)
    return node
  }
  return addRule(node, {
    rule: `self.all(key, key.matches(${celText(pattern)}))`,
    message: `keys must match ${pattern}`,
  })
}
