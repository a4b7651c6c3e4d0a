import { describe, expect, it } from 'vitest'
import { ProtobufError } from '../wire/protobuf-error.ts'
import { WireWriter } from '../wire/wire-writer.ts'
import { decodeKubernetes } from './decode-kubernetes.ts'
import { encodeKubernetes, encodeList, encodeListItem, encodeWatchFrame } from './encode-kubernetes.ts'
import { closeEnvelope, startEnvelope } from './envelope.ts'
import { tables } from './sample-table.fixture.ts'

/** A Thing whose fields are written by hand. */
function thing(write: (writer: WireWriter) => void, kind = 'Thing', apiVersion = 'v1'): Buffer {
  const writer = new WireWriter()
  const before = startEnvelope(writer)
  write(writer)
  closeEnvelope(writer, before, apiVersion, kind)
  return writer.finish()
}

const EMPTY = {
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: {},
  must: '',
  needed: 0,
  at: null,
  port: 0,
  size: '0',
}

describe('decoding', () => {
  it('shows what JSON has even when nothing was sent: structs, times, and what is always written', () => {
    expect(
      decodeKubernetes(
        thing(() => {}),
        tables,
      ),
    ).toEqual(EMPTY)
  })

  it('leaves out zero values, except where they mean something', () => {
    const bytes = thing((writer) => {
      writer.double(16, 0)
      writer.bool(15, false)
      writer.bytes(14, Buffer.alloc(0))
      writer.string(3, '')
      writer.string(2, '')
    })
    expect(decodeKubernetes(bytes, tables)).toEqual({ ...EMPTY, maybe: '', ratio: 0 })
  })

  it('reads lists of numbers packed and not', () => {
    const bytes = thing((writer) => {
      writer.bytes(6, Buffer.from('ffffffffffffffff7f01', 'hex'))
      writer.integer(5, 7)
      writer.bytes(5, Buffer.from('01ac02', 'hex'))
    })
    expect(decodeKubernetes(bytes, tables)).toMatchObject({ numbers: [1, 300, 7], big: [2n ** 63n - 1n, 1] })
  })

  it('merges a message that is sent twice, and takes the last of what is not a message', () => {
    const bytes = thing((writer) => {
      for (const [name, flag] of [
        ['b', undefined],
        ['a', true],
      ] as const) {
        const before = writer.length
        if (flag) writer.bool(3, flag)
        else writer.string(1, name)
        writer.close(9, before)
      }
      writer.string(4, 'last')
      writer.string(4, 'first')
    })
    expect(decodeKubernetes(bytes, tables)).toMatchObject({ part: { name: 'b', must: true }, must: 'last' })
  })

  it('skips fields nobody knows, and shows those of an inline message beside the others', () => {
    const bytes = thing((writer) => {
      writer.string(99, 'from the future')
      const before = writer.length
      writer.integer(77, 1)
      writer.string(1, 'inside')
      writer.close(10, before)
    })
    expect(decodeKubernetes(bytes, tables)).toEqual({ ...EMPTY, shared: 'inside' })
  })

  it('takes the expected type for an object that does not say its own', () => {
    const bytes = thing((writer) => writer.string(2, 'x'), '', '')
    const expected = { apiVersion: 'v1', kind: 'Thing' }
    expect(decodeKubernetes(bytes, tables, expected)).toEqual({ ...EMPTY, text: 'x' })
    expect(() => decodeKubernetes(bytes, tables)).toThrow('no kind "" is registered for version ""')
  })

  it('finds options and responses in every group', () => {
    const bytes = thing((writer) => writer.integer(6, 404), 'Status', 'apps/v1')
    expect(decodeKubernetes(bytes, tables)).toEqual({ apiVersion: 'apps/v1', kind: 'Status', metadata: {}, code: 404 })
  })

  it('reads objects inside objects', () => {
    const inside = thing((writer) => writer.string(2, 'x'))
    const frame = encodeWatchFrame('ADDED', inside)
    expect(frame.readUInt32BE()).toBe(frame.length - 4)
    const event = thing((writer) => writer.raw(frame.subarray(4)), 'WatchEvent')
    expect(decodeKubernetes(event, tables)).toMatchObject({ type: 'ADDED', object: { ...EMPTY, text: 'x' } })
  })
})

describe('hostile bytes', () => {
  const refused = (bytes: Buffer) => expect(() => decodeKubernetes(bytes, tables))

  it('are refused when they are no object, or of no known kind', () => {
    refused(Buffer.alloc(0)).toThrow(ProtobufError)
    refused(Buffer.from('{"kind":"Thing"}')).toThrow('does not begin with')
    refused(thing(() => {}, 'toString')).toThrow('no kind "toString"')
    refused(thing(() => {}, 'Thing', '__proto__')).toThrow('no kind "Thing"')
  })

  it('are refused when nested too deep, however little they are', () => {
    const nested = (levels: number) =>
      thing((writer) => {
        const before = writer.length
        for (let level = 1; level < levels; level++) writer.close(2, before)
        writer.close(9, before)
      })
    expect(decodeKubernetes(nested(500), tables)).toHaveProperty('part')
    refused(nested(501)).toThrow('nested deeper than 500 levels')
    refused(nested(300_000)).toThrow('nested deeper than 500 levels')
  })

  it('are refused when they stand for too much', () => {
    const many = Buffer.alloc(1_200_000, Buffer.from('3a00', 'hex'))
    refused(thing((writer) => writer.raw(many))).toThrow('more than 50000 values')
  })

  it('are refused when a key would reach into prototypes', () => {
    const bytes = thing((writer) => {
      writer.string(2, 'AA==')
      writer.string(1, '__proto__')
      writer.close(20, 0)
    })
    refused(bytes).toThrow(ProtobufError)
  })

  it('are refused for JSON that is none, times out of range and numbers that are none', () => {
    const field = (number: number, write: (writer: WireWriter) => void) =>
      thing((writer) => {
        const before = writer.length
        write(writer)
        writer.close(number, before)
      })
    refused(field(11, (writer) => writer.string(1, '{'))).toThrow('should be JSON')
    refused(field(12, (writer) => writer.integer(1, 2n ** 62n))).toThrow('out of range')
    refused(field(12, (writer) => writer.integer(1, 2 ** 45))).toThrow('out of range')
    refused(thing((writer) => writer.double(16, Number.NaN))).toThrow('not finite')
  })
})

describe('encoding', () => {
  const full = {
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: { name: 'n', creationTimestamp: '2024-02-29T12:00:00Z', labels: { b: '2', a: '1' } },
    text: 'é',
    maybe: '',
    must: 'm',
    numbers: [0, -1],
    big: [2n ** 62n, 0],
    parts: [{ name: 'a', parts: [{ must: true }], must: false }],
    byName: { x: { must: true } },
    part: { must: false },
    shared: 's',
    needed: 3,
    raw: { any: ['thing', 1.5] },
    at: '1960-01-01T00:00:00Z',
    port: 'http',
    bytes: 'AAE=',
    flag: true,
    ratio: -0.5,
    verbs: ['get'],
    size: '10Gi',
    exact: '2024-02-29T12:00:00.000001Z',
    data: { k: '' },
  }

  it('is undone by decoding', () => {
    expect(decodeKubernetes(encodeKubernetes(full, tables), tables)).toEqual(full)
    expect(decodeKubernetes(encodeKubernetes(EMPTY, tables), tables)).toEqual(EMPTY)
  })

  it('writes the same whether zero values are there or not', () => {
    const bare = encodeKubernetes({ apiVersion: 'v1', kind: 'Thing' }, tables)
    expect(encodeKubernetes(EMPTY, tables)).toEqual(bare)
  })

  it('counts what a field should not be as absent', () => {
    const odd = { ...EMPTY, text: 7, numbers: 'x', parts: {}, byName: [], flag: 'true', part: null, metadata: 'x' }
    expect(decodeKubernetes(encodeKubernetes(odd, tables), tables)).toEqual(EMPTY)
  })

  it('knows schemas and what may stand in their place', () => {
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'Definition',
      extra: false,
      items: [{ type: 'a' }, { items: { type: 'b' } }],
      needs: { one: ['x'], two: { type: 'c' } },
    }
    for (const object of [
      definition,
      { ...definition, extra: true, items: { type: 'x' } },
      { ...definition, extra: {} },
    ])
      expect(decodeKubernetes(encodeKubernetes(object, tables), tables)).toEqual(object)
  })

  it('makes a list of its items', () => {
    const list = { apiVersion: 'v1', kind: 'ThingList', metadata: { resourceVersion: '7' } }
    const items = [full, EMPTY]
    const encoded = items.map((item) => encodeListItem(list, item, tables))
    const around = (parts: Buffer[]) => {
      const { head, tail } = encodeList(list, Buffer.concat(parts).length, tables)
      return Buffer.concat([head, ...parts, tail])
    }
    const whole = around(encoded)
    const plain = { ...list, items }
    expect(whole).toEqual(encodeKubernetes(plain, tables))
    expect(around([])).toEqual(encodeKubernetes(list, tables))
    expect(() => encodeListItem({ apiVersion: 'v1', kind: 'Thing' }, full, tables)).toThrow('no list')
  })

  it('refuses kinds it does not know', () => {
    expect(() => encodeKubernetes({ apiVersion: 'example.com/v1', kind: 'Widget' }, tables)).toThrow('no kind "Widget"')
  })
})
