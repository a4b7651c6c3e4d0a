import { describe, expect, it } from 'vitest'
import { compileSchema } from './with-cel.ts'

const spec = {
  type: 'object',
  required: ['replicas', 'image'],
  properties: {
    replicas: { type: 'integer', minimum: 0, maximum: 100 },
    image: { type: 'string', minLength: 1, maxLength: 50, pattern: '^[a-z0-9/:.-]+$' },
    strategy: { type: 'string', enum: ['RollingUpdate', 'Recreate'], default: 'RollingUpdate' },
    config: { type: 'object', additionalProperties: { type: 'string' } },
    ports: {
      type: 'array',
      maxItems: 5,
      items: {
        type: 'object',
        required: ['port'],
        properties: { port: { type: 'integer' }, name: { type: 'string' } },
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port'],
    },
    tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    size: { 'x-kubernetes-int-or-string': true },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    maybe: { type: 'string', nullable: true },
    nested: { type: 'object', default: {}, properties: { depth: { type: 'integer', default: 3 } } },
  },
}
const status = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
const app = compileSchema({ type: 'object', properties: { spec, status } }, { root: 'custom-resource' })
const resource = (given: unknown) => ({
  apiVersion: 'example.com/v1',
  kind: 'App',
  metadata: { name: 'a', labels: { any: 'thing' } },
  spec: given,
})
const causesOf = (given: unknown) => app.validate(resource(given)).map((cause) => [cause.reason, cause.field])

describe('a violation names the field and the reason a real server names', () => {
  const image = 'x'
  const six = [1, 2, 3, 4, 5, 6].map((port) => ({ port }))
  it.each<[unknown, ...string[][]]>([
    [{ replicas: 1 }, ['FieldValueRequired', 'spec.image']],
    [{ replicas: -1, image }, ['FieldValueInvalid', 'spec.replicas']],
    [{ replicas: 101, image }, ['FieldValueInvalid', 'spec.replicas']],
    [{ replicas: 'three', image }, ['FieldValueTypeInvalid', 'spec.replicas']],
    [{ replicas: 1.5, image }, ['FieldValueTypeInvalid', 'spec.replicas']],
    [{ replicas: 1, image: '' }, ['FieldValueInvalid', 'spec.image']],
    [{ replicas: 1, image: 'UPPER' }, ['FieldValueInvalid', 'spec.image']],
    [{ replicas: 1, image: 'x'.repeat(51) }, ['FieldValueTooLong', 'spec.image']],
    [{ replicas: 1, image, strategy: 'Foo' }, ['FieldValueNotSupported', 'spec.strategy']],
    [{ replicas: 1, image, config: { a: 1 } }, ['FieldValueTypeInvalid', 'spec.config.a']],
    [{ replicas: 1, image, ports: [{ name: 'a' }] }, ['FieldValueRequired', 'spec.ports[0].port']],
    [{ replicas: 1, image, ports: [{ port: 1 }, { port: 1 }] }, ['FieldValueDuplicate', 'spec.ports[1]']],
    [{ replicas: 1, image, tags: ['a', 'a'] }, ['FieldValueDuplicate', 'spec.tags[1]']],
    [{ replicas: 1, image, size: true }, ['FieldValueTypeInvalid', 'spec.size']],
    [{ replicas: 1, image, ports: six }, ['FieldValueTooMany', 'spec.ports']],
    [
      { replicas: -1, image: 'UPPER', strategy: 'Foo' },
      ['FieldValueInvalid', 'spec.image'],
      ['FieldValueInvalid', 'spec.replicas'],
      ['FieldValueNotSupported', 'spec.strategy'],
    ],
    ['text', ['FieldValueTypeInvalid', 'spec']],
    [undefined],
    [{ replicas: 1.0, image, size: '50%', maybe: null, free: { x: [{ y: 1 }] } }],
  ])('%j', (given, ...expected) => {
    expect(causesOf(given)).toEqual(expected)
  })
})

describe('messages read as Kubernetes writes them', () => {
  it.each([
    [{ replicas: -1, image: 'x' }, 'Invalid value: -1: spec.replicas in body should be greater than or equal to 0'],
    [
      { replicas: 1, image: 'x', strategy: 'Foo' },
      'Unsupported value: "Foo": supported values: "RollingUpdate", "Recreate"',
    ],
    [{ replicas: 'x', image: 'x' }, 'Invalid value: "string": spec.replicas in body must be of type integer: "string"'],
    [{ replicas: 1 }, 'Required value'],
    [{ replicas: 1, image: 'x'.repeat(51) }, 'Too long: may not be more than 50 bytes'],
    [
      { replicas: 1, image: 'x', size: true },
      'Invalid value: "boolean": spec.size in body must be of type integer,string: "boolean"',
    ],
    [{ replicas: 1, image: 'x', ports: [{ port: 1 }, { port: 1 }] }, 'Duplicate value: {"port":1}'],
    [{ replicas: 1, image: 'U' }, `Invalid value: "U": spec.image in body should match '^[a-z0-9/:.-]+$'`],
    [{ replicas: 1, image: '' }, 'Invalid value: "": spec.image in body should be at least 1 chars long'],
    [
      { replicas: 1, image: 'x', ports: [1, 2, 3, 4, 5, 6].map((port) => ({ port })) },
      'Too many: 6: must have at most 5 items',
    ],
  ])('%j', (given, message) => {
    expect(app.validate(resource(given)).map((cause) => cause.message)).toEqual([message])
  })
})

describe('a request is pruned, then defaulted', () => {
  it('removes unknown fields, keeps what the schema preserves and tells the paths in order', () => {
    const object = resource({
      unknown: 1,
      config: { a: 'b' },
      free: { x: { y: [1] } },
      nested: { depth: 4, gone: true },
      ports: [{ port: 1, foo: 2 }],
    })
    expect(app.prune(object)).toEqual(['spec.nested.gone', 'spec.ports[0].foo', 'spec.unknown'])
    expect(object.spec).toEqual({
      config: { a: 'b' },
      free: { x: { y: [1] } },
      nested: { depth: 4 },
      ports: [{ port: 1 }],
    })
    expect(object.metadata).toEqual({ name: 'a', labels: { any: 'thing' } })
  })

  it('fills a nested default when the parent has one', () => {
    const object = resource({ image: 'x', replicas: 1 })
    app.applyDefaults(object)
    expect(object.spec).toEqual({ image: 'x', replicas: 1, strategy: 'RollingUpdate', nested: { depth: 3 } })
  })

  it('does not make an absent parent that has no default', () => {
    const object = resource(undefined)
    app.applyDefaults(object)
    expect(object.spec).toBeUndefined()
  })

  it('keeps a null that is allowed, replaces one that has a default and drops any other', () => {
    const object = resource({ maybe: null, strategy: null, image: null, config: { a: null, b: 'c' } })
    app.applyDefaults(object)
    expect(object.spec).toEqual({
      maybe: null,
      strategy: 'RollingUpdate',
      config: { b: 'c' },
      nested: { depth: 3 },
    })
  })
})

describe('with an object that is done', () => {
  const inner = { type: 'object', properties: { a: { type: 'integer', default: 1 } } }
  const { prune, applyDefaults } = compileSchema(
    { type: 'object', properties: { f: inner, g: inner, l: { type: 'array', items: inner } } },
    { root: 'object' },
  )

  it('what is shared with it is left alone, and the rest is pruned and filled', () => {
    const shared = { x: 1 }
    const list = [shared]
    const object = { f: shared, g: { x: 1 }, l: list }
    const done = { f: shared, g: { x: 1 }, l: list }
    expect(prune(object, done)).toEqual(['g.x'])
    applyDefaults(object, done)
    expect(object).toEqual({ f: { x: 1 }, g: { a: 1 }, l: [{ x: 1 }] })
  })

  it('a part that moved to another place is looked into', () => {
    const shared = { x: 1 }
    const object = { f: {}, g: shared, l: [shared] }
    expect(prune(object, { f: shared, l: [shared] })).toEqual(['g.x'])
    applyDefaults(object, { f: shared })
    expect(object).toEqual({ f: { a: 1 }, g: { a: 1 }, l: [{ a: 1 }] })
  })
})
