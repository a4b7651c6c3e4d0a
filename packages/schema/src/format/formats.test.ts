import { cpuMs } from '@homeostat/base/testing/cpu-time'
import { describe, expect, it } from 'vitest'
import { formatFor } from './formats.ts'

const accepted: Record<string, string[]> = {
  'date-time': ['2024-01-31T23:59:59Z', '2024-01-31t00:00:00.123456+02:00'],
  date: ['2024-02-29', '2000-02-29'],
  duration: ['1h30m', '0', '-1.5s', '22 ns', '3 days', '1µs'],
  email: ['a@b.c', 'Some One <some.one@example.com>', '"quoted x"@example.com'],
  uri: ['https://example.com/a?b#c', '/absolute', 'mailto:a@b', 'http://[::1]:80/'],
  uuid: ['00000000-0000-0000-0000-000000000000', 'ABCDEFAB12341234ABCD1234567890AB'],
  uuid3: ['00000000-0000-3000-0000-000000000000'],
  uuid4: ['00000000-0000-4000-8000-000000000000'],
  uuid5: ['00000000-0000-5000-b000-000000000000'],
  ipv4: ['10.0.0.1', '010.000.000.001'],
  ipv6: ['::1', 'fe80::1:2', '::ffff:10.0.0.1'],
  cidr: ['10.0.0.0/8', 'fd00::/64'],
  mac: ['01:23:45:67:89:ab', '01-23-45-67-89-AB', '0123.4567.89ab', '01:23:45:67:89:ab:cd:ef'],
  byte: ['aGk=', 'aGk0'],
  password: ['', 'anything'],
  hostname: ['localhost', 'a.example.com', '1st.example.com', 'a-b'],
  bsonobjectid: ['507f1f77bcf86cd799439011'],
  creditcard: ['4111 1111 1111 1111'],
  isbn: ['0321751043', '978-0321751041'],
  isbn10: ['0321751043'],
  isbn13: ['978-0321751041'],
  ssn: ['111-22-3333', '111 22 3333'],
  hexcolor: ['#FFF', 'abcdef'],
  rgbcolor: ['rgb(255, 0,1)'],
  'k8s-short-name': ['a-b'],
  'k8s-long-name': ['a.b-c'],
}

const refused: Record<string, string[]> = {
  'date-time': ['2024-01-31', '2024-01-31T24:00:00Z', '2024-13-01T00:00:00Z', '2024-01-31T00:00:00', ''],
  date: ['2023-02-29', '2024-1-1', '2024-00-10', '1900-02-29'],
  duration: ['', 'soon', '5', '1 parsec'],
  email: ['a', 'a@', '@b', 'a b@c'],
  uri: ['', 'relative/path', 'http://a b/', 'http://host:port/', '/%zz', ':x'],
  uuid: ['0000', 'g0000000-0000-0000-0000-000000000000'],
  uuid4: ['00000000-0000-3000-8000-000000000000', '00000000-0000-4000-1000-000000000000'],
  ipv4: ['256.0.0.1', '::1', '10.0.0', ''],
  ipv6: ['10.0.0.1', ':::', 'fe80::1%eth0'],
  cidr: ['10.0.0.0', '10.0.0.0/33', 'fd00::/129', '10.0.0.0/-1'],
  mac: ['01:23:45:67:89', '01:23-45:67:89:ab', 'zz:23:45:67:89:ab'],
  byte: ['!!!', 'a', 'aGk', ''],
  hostname: ['', '-a', 'a..b', 'a.1', `${'a'.repeat(64)}.com`],
  bsonobjectid: ['507f1f77bcf86cd79943901'],
  creditcard: ['4111 1111 1111 1112', '1'],
  isbn: ['0321751044', '978-0321751042'],
  ssn: ['11-22-3333', '111223333'],
  hexcolor: ['#FFFF', 'xyz'],
  rgbcolor: ['rgb(256,0,0)', 'rgb(0,0)', 'rgb(01,0,0)'],
  'k8s-short-name': ['A', '-a', 'a'.repeat(64)],
  'k8s-long-name': ['a..b', 'a'.repeat(254)],
}

describe.each(Object.entries(accepted))('format %s accepts', (format, values) => {
  it.each(values)('%j', (value) => expect(formatFor('string', format)?.text?.(value)).toBe(true))
})

describe.each(Object.entries(refused))('format %s refuses', (format, values) => {
  it.each(values)('%j', (value) => expect(formatFor('string', format)?.text?.(value)).toBe(false))
})

describe('number formats hold values to their range', () => {
  it.each<[string, string, number | bigint, boolean]>([
    ['integer', 'int32', 2 ** 31 - 1, true],
    ['integer', 'int32', 2 ** 31, false],
    ['integer', 'int64', 2n ** 63n - 1n, true],
    ['integer', 'int64', 2n ** 63n, false],
    ['number', 'float', 1e38, true],
    ['number', 'float', 1e39, false],
    ['number', 'double', 1e308, true],
  ])('%s %s %s', (type, format, value, expected) => {
    expect(formatFor(type, format)?.number?.(value)).toBe(expected)
  })
})

it('a format counts only on the types it is made for', () => {
  expect(formatFor('integer', 'date')).toBeUndefined()
  expect(formatFor('object', 'date')).toBeUndefined()
  expect(formatFor('string', 'constructor')).toBeUndefined()
})

it('hostile values are refused quickly', () => {
  const used = cpuMs(() => {
    for (const format of Object.keys(accepted)) {
      for (const seed of ['a', '1', '.', '-', ':', '"', ' ', '0', 'a.', '1s ', '<', '%20', 'rgb(']) {
        formatFor('string', format)?.text?.(seed.repeat(200_000 / seed.length))
      }
    }
  })
  expect(used).toBeLessThan(5_000)
})
