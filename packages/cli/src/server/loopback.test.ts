import { expect, test } from 'vitest'
import { baseUrl, loopbackAddress } from './loopback.ts'

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['127.1.2.3', '127.1.2.3'],
  ['localhost', '127.0.0.1'],
  ['::1', '::1'],
  ['[::1]', '::1'],
])('%s is loopback', (host, address) => {
  expect(loopbackAddress(host)).toBe(address)
})

test.each(['0.0.0.0', '::', '192.168.1.2', '127.evil.example', '128.0.0.1', 'example.org', '::ffff:10.0.0.1'])(
  '%s is refused',
  (host) => {
    expect(() => loopbackAddress(host)).toThrow(/other machines could reach this address/)
  },
)

test('an IPv6 address stands in brackets', () => {
  expect(baseUrl('::1', 3000)).toBe('http://[::1]:3000')
  expect(baseUrl('127.0.0.1', 3000)).toBe('http://127.0.0.1:3000')
})
