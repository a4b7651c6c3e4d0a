import { expect, test } from 'vitest'
import type { OpenApiDocument, Schema } from './openapi.ts'
import { typeFile } from './type-file.ts'

const META = { allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }] }

function kind(name: string, properties: Record<string, Schema>, rest: Partial<Schema> = {}): Record<string, Schema> {
  const gvk = { group: 'ex.io', version: 'v1', kind: name }
  const schema = {
    type: 'object',
    properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: META, ...properties },
    'x-kubernetes-group-version-kind': [gvk],
    ...rest,
  }
  return { [`io.ex.v1.${name}`]: schema }
}

function types(schemas: Record<string, Schema>, paths?: OpenApiDocument['paths']): string {
  const document = { components: { schemas }, ...(paths && { paths }) }
  return typeFile(new Map([['ex.io/v1', document]]), { heading: [] }).text
}

/** The members of the interface as one text. */
function members(name: string, text: string): string {
  return new RegExp(`interface ${name} {\n(.*?)\n}`, 's').exec(text)?.[1]?.replace(/^ {2}/gm, '') ?? 'none'
}

test.each<[string, Schema, string]>([
  ['text', { type: 'string' }, 'x?: string'],
  ['a moment', { type: 'string', format: 'date-time' }, 'x?: string'],
  ['a whole number', { type: 'integer', format: 'int64' }, 'x?: number'],
  ['a number', { type: 'number' }, 'x?: number'],
  ['a truth', { type: 'boolean' }, 'x?: boolean'],
  ['a choice', { type: 'string', enum: ['a', "b'c", '', 'a'] }, `x?: 'a' | "b'c" | ''`],
  ['a choice of numbers', { type: 'integer', enum: [1, 2] }, 'x?: 1 | 2'],
  ['a number or text', { 'x-kubernetes-int-or-string': true }, 'x?: number | string'],
  ['a number or text, by its format', { type: 'string', format: 'int-or-string' }, 'x?: number | string'],
  ['alternatives', { oneOf: [{ type: 'string' }, { type: 'number' }] }, 'x?: string | number'],
  ['rules beside a type', { type: 'integer', oneOf: [{ type: 'string' }] }, 'x?: number'],
  ['null', { type: 'string', nullable: true }, 'x?: string | null'],
  ['a list', { type: 'array', items: { type: 'string' } }, 'x?: string[]'],
  ['a list of choices', { type: 'array', items: { enum: ['a', 'b'] } }, "x?: ('a' | 'b')[]"],
  ['a list of lists', { type: 'array', items: { type: 'array', items: { type: 'number' } } }, 'x?: number[][]'],
  ['a map', { type: 'object', additionalProperties: { type: 'string' } }, 'x?: Record<string, string>'],
  ['anything by name', { type: 'object', additionalProperties: true }, 'x?: Record<string, unknown>'],
  ['an object without fields', { type: 'object' }, 'x?: Record<string, unknown>'],
  ['anything', {}, 'x?: unknown'],
  ['what is not there', { $ref: '#/components/schemas/missing' }, 'x?: unknown'],
  ['a description', { type: 'string', description: 'One\nline. */' }, '/** One line. *\\/ */\nx?: string'],
  ['a default', { type: 'integer', default: 3 }, '/** @default 3 */\nx?: number'],
  ['a default that says nothing', { type: 'string', default: '' }, 'x?: string'],
])('%s', (_, schema, expected) => {
  const text = types(kind('Site', { spec: { type: 'object', properties: { x: schema } } }))
  expect(members('SiteSpec', text)).toBe(expected)
})

test('fields that are required are, and names that are no identifiers are quoted', () => {
  const spec = { type: 'object', required: ['a-b'], properties: { 'a-b': { type: 'string' }, $c: {}, "d'": {} } }
  expect(members('SiteSpec', types(kind('Site', { spec })))).toBe("'a-b': string\n$c?: unknown\n'd\\''?: unknown")
})

test('an object says what it is, and its metadata is there', () => {
  const text = types(kind('Site', { spec: { type: 'string' } }, { required: ['spec'], description: 'A site.' }))
  expect(text).toBe(`import type { ObjectMeta } from '@homeostat/client'

/** A site. */
export interface Site {
  apiVersion: 'ex.io/v1'
  kind: 'Site'
  metadata: ObjectMeta
  spec: string
}

declare module '@homeostat/client' {
  interface KnownKinds {
    'ex.io/v1/Site': Site
  }
}
`)
})

test('objects inside are named by the way to them, and no two share a name', () => {
  const inner = { type: 'object', properties: { y: { type: 'string' } } }
  const text = types({
    ...kind('Site', {
      spec: {
        type: 'object',
        properties: {
          conditions: { type: 'array', items: inner },
          entries: { type: 'object', additionalProperties: inner },
          entry: inner,
          status: { type: 'array', items: inner },
        },
      },
    }),
    ...kind('SiteSpec', {}),
  })
  // SiteSpec is the name of a kind, so the spec of a Site gets another name.
  expect(members('Site', text)).toContain('spec?: SiteSpec2')
  expect(members('SiteSpec2', text)).toBe(
    [
      'conditions?: SiteSpec2Condition[]',
      'entries?: Record<string, SiteSpec2Entry>',
      'entry?: SiteSpec2Entry2',
      'status?: SiteSpec2StatusItem[]',
    ].join('\n'),
  )
})

test('an object that keeps unknown fields may hold more', () => {
  const spec = { type: 'object', properties: { a: { type: 'string' } }, 'x-kubernetes-preserve-unknown-fields': true }
  expect(members('SiteSpec', types(kind('Site', { spec })))).toBe('a?: string\n[field: string]: unknown')
})

test('components are shared, and only those that are needed are there', () => {
  const shared = { type: 'object', properties: { z: { $ref: '#/components/schemas/io.ex.v1.Number' } } }
  const text = types({
    ...kind('Site', { a: { allOf: [{ $ref: '#/components/schemas/io.ex.v1.Shared' }], default: {} } }),
    'io.ex.v1.Shared': shared,
    'io.ex.v1.Number': { oneOf: [{ type: 'integer' }, { type: 'string' }], description: 'Odd.' },
    'io.ex.v1.Unused': shared,
  })
  expect(members('Site', text)).toContain('a?: Shared')
  expect(members('Shared', text)).toBe('z?: Number')
  expect(text).toContain('/** Odd. */\nexport type Number = number | string\n')
  expect(text).not.toContain('Unused')
})

test('kinds of the same name take group and version along, and those of names that the file needs', () => {
  const site = (group: string): OpenApiDocument => ({
    components: {
      schemas: {
        [`io.${group}.v1.Site`]: {
          ...Object.values(kind('Site', {}))[0],
          'x-kubernetes-group-version-kind': [{ group, version: 'v1', kind: 'Site' }],
        },
      },
    },
  })
  const documents = new Map([
    ['one/v1', site('one')],
    ['two/v1', site('two')],
  ])
  const { text, kinds } = typeFile(documents, { heading: ['Made.'], knows: (key) => key === 'two/v1/Site' })
  expect(kinds).toBe(2)
  expect(text).toMatch(/^\/\/ Made\.\n\nimport/)
  expect(text).toContain("'one/v1/Site': OneV1Site\n  }")
  expect(text).toContain('export interface TwoV1Site {')
  expect(types(kind('Record', {}))).toContain('export interface ExV1Record {')
})

test('lists, options, and bodies of subresources are no kinds', () => {
  const operation = (name: string) => ({
    get: { 'x-kubernetes-group-version-kind': { group: 'ex.io', version: 'v1', kind: name } },
  })
  const text = types(
    {
      ...kind('Site', {}),
      ...kind('Eviction', {}),
      ...kind('SiteList', { metadata: { type: 'object' } }),
    },
    {
      '/apis/ex.io/v1/': {},
      '/apis/ex.io/v1/namespaces/{namespace}/sites': operation('Site'),
      '/apis/ex.io/v1/namespaces/{namespace}/sites/{name}/eviction': operation('Eviction'),
      '/apis/ex.io/v1/lists': operation('SiteList'),
    },
  )
  expect(text.match(/'ex.io.*(?=:)/g)).toEqual(["'ex.io/v1/Site'"])
})

test('long descriptions and long choices take several lines', () => {
  const words = Array.from({ length: 40 }, (_, i) => `word${i}`)
  const spec: Schema = {
    type: 'object',
    properties: {
      long: { enum: words, description: `${words.join(' ')}\n\n- ${words[0]}` },
      list: { type: 'array', items: { enum: words } },
    },
  }
  const text = types(kind('Site', { spec }))
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120)
  expect(text).toContain("export type SiteSpecListItem =\n  | 'word0'\n")
  expect(members('SiteSpec', text)).toMatch(
    /^\/\*\*\n \* word0 [^-]*\n \* .* word39\n \* - word0\n \*\/\nlong\?:\n {2}\| 'word0'\n/,
  )
})
