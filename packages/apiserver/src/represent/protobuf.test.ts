import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cpuMs } from '@homeostat/base/testing/cpu-time'
import { isStatusError, type JsonValue, readJson, writeJson } from '@homeostat/meta'
import { decodeKubernetes, encodeKubernetes, type MessageTable, MessageTables } from '@homeostat/protobuf'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadProtobuf } from './protobuf.ts'

type JsonObject = { [key: string]: JsonValue }

const table = readJsonFile('../../facts/messages.json') as unknown as MessageTable
const tables = new MessageTables(table)
const samples = readJsonFile('protobuf-samples.fixture.json') as { bytes: string; object: JsonObject }[]
const protobuf = await loadProtobuf()
const expected = { apiVersion: 'v1', kind: 'Pod' }

describe('the bytes that Go makes of an object', () => {
  it.each(samples.map((sample) => [sample.object.kind as string, sample] as const))(
    'are read and written: %s',
    (_, s) => {
      expect(protobuf.decode(Buffer.from(s.bytes, 'base64'), expected)).toEqual(s.object)
      expect(protobuf.encode(Buffer.from(writeJson(s.object))).toString('base64')).toBe(s.bytes)
    },
  )
})

describe('the table', () => {
  const names = Object.keys(table.messages)

  it('has all that its messages refer to', () => {
    const known = new Set([
      ...names,
      ...'string bytes bool int32 int64 double time micro-time quantity json'.split(' '),
    ])
    for (const form of 'int-or-string strings schema-or-bool schema-or-array schema-or-strings'.split(' '))
      known.add(form)
    for (const [name, lines] of Object.entries(table.messages)) {
      const types = lines.map((line) => line.split(' ')[2]?.replace(/^\[\]|^map:/, '') ?? '')
      expect(
        types.filter((type) => !known.has(type)),
        name,
      ).toEqual([])
    }
  })

  it('leads from objects to bytes and back, for every kind of every group', () => {
    const kinds = Object.entries(table.packages).flatMap(([apiVersion, home]) =>
      names
        .filter((name) => name.startsWith(`${home}.`) && isKind(name))
        .map((name) => ({ apiVersion, kind: name.slice(home.length + 1) })),
    )
    expect(kinds.length).toBeGreaterThan(120)
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(...kinds), (seed, kind) => {
        const object = {
          ...kind,
          ...randomObject(tables.find(kind.apiVersion, kind.kind)?.name ?? '', random(seed), 0),
        }
        const bytes = encodeKubernetes(object, tables)
        const again = decodeKubernetes(bytes, tables)
        // The first round trip may fill in zero values; the second must change nothing.
        expect(encodeKubernetes(again as unknown as typeof kind, tables)).toEqual(bytes)
        expect(again).toMatchObject(object)
      }),
      { numRuns: 500 },
    )
  })
})

describe('bytes of any kind', () => {
  const decode = (bytes: Buffer) => {
    try {
      protobuf.decode(bytes, expected)
    } catch (error) {
      expect(isStatusError(error, 'BadRequest'), String(error)).toBe(true)
    }
  }
  const whole = samples.map(({ bytes }) => Buffer.from(bytes, 'base64'))

  it('are an object or a bad request', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => decode(Buffer.from(bytes))))
    const enveloped = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.concat([Buffer.from('k8s\0'), bytes]))
    fc.assert(fc.property(enveloped, decode))
  })

  it('made of good ones by changing, cutting and repeating them are, too', () => {
    const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }))
    fc.assert(
      fc.property(fc.constantFrom(...whole), fc.array(change, { maxLength: 5 }), fc.nat(), (bytes, changes, cut) => {
        const mutated = Buffer.from(bytes)
        for (const [at, byte] of changes) mutated[at % mutated.length] = byte
        decode(mutated)
        decode(mutated.subarray(0, cut % mutated.length))
        decode(Buffer.concat([mutated, mutated.subarray(cut % mutated.length)]))
      }),
      { numRuns: 2000 },
    )
  })

  it('take time by their length, and no more', () => {
    const pods = whole[0] ?? Buffer.alloc(0)
    const bytes = Buffer.concat([pods, Buffer.alloc(3 << 20, Buffer.from('4a02080112', 'hex'))])
    expect(cpuMs(() => decode(bytes))).toBeLessThan(3000)
  })
})

/** Other messages are parts of objects and may have a field named `kind`. */
function isKind(name: string): boolean {
  return tables.message(name).fields.some((field) => field.name === 'metadata')
}

/** A random object as Go encodes it in JSON: zero values appear only where Go writes them. */
function randomObject(name: string, next: () => number, depth: number): JsonObject {
  const object: JsonObject = {}
  for (const field of tables.message(name).fields) {
    if (field.inline) Object.assign(object, randomObject(field.type, next, depth))
    else if (next() % 3 === 0 && depth < 6) {
      const value = () => randomValue(field.type, next, depth)
      if (field.shape === 'many') object[field.name] = [value(), value()]
      else object[field.name] = field.shape === 'map' ? { a: value(), é: value() } : value()
    }
  }
  return object
}

function randomValue(type: string, next: () => number, depth: number): JsonValue {
  if (type.includes('.')) return randomObject(type, next, depth + 1)
  const schema = () => randomObject('apiextensions.v1.JSONSchemaProps', next, depth + 2)
  const values: Record<string, () => JsonValue> = {
    string: () => `text ${next()}`,
    bytes: () => Buffer.from([1, next() % 256]).toString('base64'),
    bool: () => true,
    int32: () => -1 - (next() % 1000),
    int64: () => (next() % 2 ? 1 + next() : 2n ** 60n + BigInt(next())),
    double: () => 0.5 + next(),
    time: () => `20${10 + (next() % 90)}-02-03T04:05:06Z`,
    'micro-time': () => `20${10 + (next() % 90)}-02-03T04:05:06.000${100 + (next() % 900)}Z`,
    quantity: () => `${next()}Mi`,
    json: () => ({ any: [next(), null] }),
    'int-or-string': () => (next() % 2 ? 'http' : next() % 1000),
    strings: () => ['a', ''],
    'schema-or-bool': () => (next() % 2 ? schema() : next() % 2 === 0),
    'schema-or-array': () => (next() % 2 ? schema() : [schema(), schema()]),
    'schema-or-strings': () => (next() % 2 ? schema() : ['a', 'b']),
  }
  return values[type]?.() ?? null
}

function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state >>> 8
  }
}

function readJsonFile(file: string): JsonValue {
  return readJson(readFileSync(join(import.meta.dirname, file), 'utf8')).value
}
