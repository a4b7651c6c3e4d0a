import { readJson } from '@homeostat/meta'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EventLines } from './event-lines.ts'

function linesOf(text: string, sizes: readonly number[], withoutManagedFields = false): string[] {
  const bytes = new TextEncoder().encode(text)
  const lines = new EventLines({ maxBytes: 1e6, withoutManagedFields })
  const seen: string[] = []
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1
    lines.push(bytes.slice(at, at + size), (line) => seen.push(line))
    at += size
  }
  return seen
}

/** Objects whose keys and strings resemble the text that the splitter searches for. */
const text = fc.oneof(
  fc.string(),
  fc.constantFrom('"managedFields":[', 'managedFields', '}]', ']},', '\\"', 'é', '\u2028', '\\', 'metadata', 'object'),
)
const { tree: json } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(text, fc.constantFrom('managedFields', 'metadata', 'object', 'spec')), tie('tree'), {
      maxKeys: 4,
    }),
  ),
}))

describe('lines of events', () => {
  it('are the same however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(json), fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (values, sizes) => {
        const written = values.map((value) => JSON.stringify(value))
        expect(linesOf(written.map((line) => `${line}\n`).join(''), sizes)).toEqual(written)
      }),
    )
  })

  it('lack the managed fields of their object, and nothing else', () => {
    const metadata = fc.dictionary(text, json, { maxKeys: 4 })
    fc.assert(
      fc.property(metadata, fc.array(json), metadata, json, json, (before, managedFields, after, spec, type) => {
        const event = { type, object: { spec, metadata: { ...before, managedFields, ...after }, managedFields: spec } }
        // readJson refuses `__proto__` as a key. JSON.parse is no alternative here: it may mix up keys with escapes.
        fc.pre(!JSON.stringify(event).includes('__proto__'))
        const [line = ''] = linesOf(`${JSON.stringify(event)}\n`, [1000], true)
        const read = readJson(line).value as unknown as typeof event
        const { managedFields: _, ...rest } = read.object.metadata
        const { managedFields: __, ...wanted } = event.object.metadata
        expect({ ...read, object: { ...read.object, metadata: rest } }).toEqual(
          readJson(JSON.stringify({ ...event, object: { ...event.object, metadata: wanted } })).value,
        )
      }),
      { numRuns: 1000 },
    )
  })

  it('lack the managed fields first, last, or alone in their metadata', () => {
    for (const metadata of [
      '"managedFields":[{}]',
      '"managedFields":[{"a":"]"}],"a":1',
      '"a":1,"managedFields":[[]]',
    ]) {
      const [line = ''] = linesOf(`{"type":"ADDED","object":{"metadata":{${metadata}}}}\n`, [9], true)
      expect(JSON.parse(line).object.metadata).toEqual(metadata.includes('"a":1') ? { a: 1 } : {})
    }
  })

  it('leave alone what only looks like them', () => {
    for (const line of [
      '{"type":"ADDED","object":{"spec":{"managedFields":[1]}}}',
      '{"type":"ADDED","object":{"metadata":{"labels":{"managedFields":[1]}}}}',
      '{"other":{"metadata":{"managedFields":[1]}}}',
      '{"type":"ADDED","object":{"metadata":{"managedFields":[1,"',
    ]) {
      expect(linesOf(`${line}\n`, [1000], true)).toEqual([line])
    }
  })

  it('may be longer than what is kept ready for them', () => {
    const long = ['x'.repeat(20_000), 'y'.repeat(2_000_000), 'z'.repeat(40_000)]
    const lines = new EventLines({ maxBytes: 4e6, withoutManagedFields: false })
    const seen: string[] = []
    const bytes = new TextEncoder().encode(long.map((line) => `${line}\n`).join(''))
    for (let at = 0; at < bytes.length; at += 65_536)
      lines.push(bytes.slice(at, at + 65_536), (line) => seen.push(line))
    expect(seen).toEqual(long)
  })

  it('may be long, and not longer than the limit', () => {
    const lines = new EventLines({ maxBytes: 10, withoutManagedFields: false })
    lines.push(new Uint8Array(10), () => {})
    expect(() => lines.push(new Uint8Array(1), () => {})).toThrow('longer than 10 bytes')
  })
})
