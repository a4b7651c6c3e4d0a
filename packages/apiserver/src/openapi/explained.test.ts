// `kubectl explain` of built-in kinds: every field has a description with content.

import { describe, expect, it } from 'vitest'
import { builtinTypes } from '../builtin/builtin-types.ts'
import { componentName } from './component-name.ts'
import { kindSchemas } from './kind-schemas.ts'
import type { Schema } from './meta-schemas.ts'
import { schemaFinder } from './shared-schemas.ts'

const types = builtinTypes()
const find = schemaFinder(types)

/** Every schema that is reachable from a kind, by component. */
function reached(component: string): Map<string, Schema> {
  const schemas = new Map<string, Schema>()
  const pending = [component]
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (schemas.has(name)) continue
    const schema = find(name)
    schemas.set(name, schema)
    for (const [, next] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (next !== undefined) pending.push(next)
    }
  }
  return schemas
}

/** Descriptions by `component field`; that of the component itself has no field. */
function texts(component: string): [where: string, field: string, text: unknown][] {
  return [...reached(component)].flatMap(([name, schema]): [string, string, unknown][] => [
    [name, name.split('.').at(-1) ?? '', schema.description],
    ...Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(
      ([field, place]): [string, string, unknown] => [`${name} ${field}`, field, place.description],
    ),
  ])
}

describe.each(types.map(({ group, version, kind }) => [componentName(group, version, kind, false)]))('%s', (name) => {
  it('has a text for each field', () => {
    const missing = texts(name).filter(([, , text]) => typeof text !== 'string' || text.trim() === '')
    expect(missing.map(([where]) => where)).toEqual([])
  })

  it('says more than the name of the field, in a sentence', () => {
    const letters = (words: string) => words.toLowerCase().replaceAll(/[^a-z0-9]|^the /g, '')
    const poor = texts(name).filter(([, field, text]) => letters(String(text)) === letters(field))
    expect(poor).toEqual([])
    expect(texts(name).filter(([, , text]) => !/[.]$/.test(String(text)))).toEqual([])
  })
})

it('has fields in every published kind, and refers to nothing that is not there', () => {
  for (const type of types) {
    const [[name, schema] = ['', {}]] = kindSchemas(type)
    expect(schema.properties, name).not.toEqual({})
    for (const [reference, found] of reached(name)) {
      expect(found, `${name} leads to ${reference}`).not.toEqual({})
      expect(found.properties, `${name} leads to ${reference}`).not.toEqual({})
    }
  }
})
