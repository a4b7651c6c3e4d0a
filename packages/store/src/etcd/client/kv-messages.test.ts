// The bytes were recorded from etcd 3.6.16 and its own client; the rest is read back by a reader that knows no etcd.

import { WireReader } from '@homeostat/protobuf/wire'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeRange, decodeTxn, encodeRange, encodeTxn } from './kv-messages.ts'

const key = fc.string({ unit: 'grapheme', minLength: 1 })
const revision = fc.maxSafeNat()

it('a range has the fields of etcd', () => {
  const request = { key: 'a', end: 'b', revision: 300, limit: 5, serializable: true, keysOnly: true, countOnly: true }
  expect(encodeRange(request).finish().toString('hex')).toBe('0a01611201621805' + '20ac02' + '380140014801')
  expect(encodeRange({ key: 'a' }).finish().toString('hex')).toBe('0a0161')
})

it('a txn has the fields of etcd', () => {
  const bytes = encodeTxn({
    compare: [{ key: 'k', target: 'modRevision', value: 7 }],
    success: [{ type: 'put', key: 'k', value: [Buffer.from('a'), Buffer.from('b')] }],
    failure: [
      { type: 'range', key: 'k' },
      { type: 'delete', key: 'k', end: 'l' },
    ],
  }).finish()
  expect(bytes.toString('hex')).toBe(
    '0a09' +
      '0800' +
      '1002' +
      '1a016b' +
      '3007' +
      '1209' +
      '1207' +
      '0a016b' +
      '12026162' +
      '1a05' +
      '0a03' +
      '0a016b' +
      '1a08' +
      '1a06' +
      '0a016b' +
      '12016c',
  )
})

it('what a txn writes is all there, whatever the keys and values', () => {
  const operation = fc.record({ type: fc.constant('put' as const), key, value: fc.array(fc.uint8Array()) })
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 5 }), (success) => {
      const reader = new WireReader(encodeTxn({ compare: [], success }).finish())
      const found: [string, string][] = []
      while (reader.field() === 2) {
        const outer = reader.enter()
        expect(reader.field()).toBe(2)
        const put = reader.enter()
        reader.field()
        const name = reader.string()
        reader.field()
        found.push([name, reader.bytes().toString('hex')])
        reader.leave(put)
        reader.leave(outer)
      }
      expect(found).toEqual(success.map((one) => [one.key.toWellFormed(), Buffer.concat(one.value).toString('hex')]))
    }),
  )
})

it('numbers of revisions are whole up to 2^53', () => {
  fc.assert(
    fc.property(revision, (value) => {
      const bytes = encodeRange({ key: 'k', revision: value }).finish()
      const reader = new WireReader(bytes)
      for (let field = reader.field(); field !== 4 && field !== 0; field = reader.field()) reader.skip()
      expect(value === 0 ? 0 : Number(reader.integer())).toBe(value)
    }),
  )
})

it('random bytes are an error or an answer, and never hang', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      for (const decode of [decodeRange, decodeTxn]) {
        try {
          decode(Buffer.from(bytes))
        } catch (error) {
          expect(error).toMatchObject({ name: 'ProtobufError' })
        }
      }
    }),
  )
})
