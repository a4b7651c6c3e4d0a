import { expect, it } from 'vitest'
import { DESCRIPTIONS } from './descriptions.ts'
import { colonyDefinitions } from './index.ts'

interface Shape {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
}

function* fieldsOf(shape: Shape, path = ''): Generator<readonly [string, string | undefined]> {
  for (const [name, field] of Object.entries({ ...shape.properties, ...shape.items?.properties })) {
    const at = path === '' ? name : `${path}.${name}`
    yield [at, field.description]
    yield* fieldsOf(field, at)
  }
}

const kinds = colonyDefinitions.map(({ spec }) => {
  const { names, versions } = spec as unknown as {
    names: { kind: string }
    versions: [{ schema: { openAPIV3Schema: Shape } }]
  }
  return [names.kind, versions[0].schema.openAPIV3Schema] as const
})

it.each(kinds)('every field of %s is described, and every description has its field', (kind, schema) => {
  const fields = [['', schema.description] as const, ...fieldsOf(schema)]
  expect(fields.filter(([, text]) => !text?.endsWith('.')).map(([path]) => path)).toEqual([])
  const paths = new Set(fields.map(([path]) => path))
  expect(Object.keys(DESCRIPTIONS[kind] ?? {}).filter((path) => !paths.has(path))).toEqual([])
})
