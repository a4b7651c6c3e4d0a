import { existsSync } from 'node:fs'
import { internalError } from '@homeostat/meta'
import { expect, test } from 'vitest'
import { Fault } from '../fault.ts'
import { makeDataDirectory, startFault } from './data-directory.ts'

test.skipIf(!existsSync('/proc/self'))('a place that has no room for folders is named, and nothing hangs', () => {
  expect(() => makeDataDirectory('/proc/no/folder')).toThrow(
    'the data directory /proc/no/folder cannot be written to (ENOENT); choose another with --data-dir or HOMEOSTAT_DATA',
  )
})

const full = 'the disk of /data is full; make room there and start again'

test.each<[string, Error, string]>([
  ['a file that could not be written', Object.assign(new Error('write'), { code: 'ENOSPC' }), full],
  ['a store that cannot be opened', new Error('homeostat.db cannot be opened: its disk is full'), full],
  ['a first write', internalError('the write could not be stored: database or disk is full'), full],
  [
    'any other refusal of the store',
    internalError('the write could not be stored: disk I/O error'),
    'the server could not start: Internal error occurred: the write could not be stored: disk I/O error',
  ],
  [
    'an etcd that stops answering after it was opened',
    Object.assign(new Error('http://127.0.0.1:2379: no answer within 2000 ms'), {
      name: 'EtcdError',
      kind: 'timeout',
      // As the etcd client brands its errors.
      [Symbol.for('homeostat.store.etcd-error')]: true,
    }),
    'etcd cannot be used: http://127.0.0.1:2379: no answer within 2000 ms; is etcd running there, and does --etcd name the client addresses?',
  ],
])('%s ends a start with one line', async (_, cause, message) => {
  const fault = await startFault(cause, '/data')
  expect(fault).toBeInstanceOf(Fault)
  expect(fault).toMatchObject({ message, cause })
})

test('a defect shows its stack', async () => {
  const defect = new TypeError('x is not a function')
  expect(await startFault(defect, '/data')).toBe(defect)
})
