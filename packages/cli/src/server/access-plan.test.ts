import { expect, test } from 'vitest'
import { type AccessOptions, baseUrl, localAddress, planAccess } from './access-plan.ts'

const LINUX: AccessOptions = {
  platform: 'linux',
  host: '127.0.0.1',
  secure: false,
  plainHttp: 'auto',
  allLocalUsers: false,
}
const MAC: AccessOptions = { ...LINUX, platform: 'darwin' }

test.each<[string, AccessOptions, string | undefined, string | undefined]>([
  ['this machine', LINUX, '127.0.0.1', undefined],
  ['localhost', { ...LINUX, host: 'localhost' }, '127.0.0.1', undefined],
  ['::1 in brackets', { ...LINUX, host: '[::1]' }, '::1', undefined],
  ['--secure', { ...LINUX, secure: true }, '127.0.0.1', '127.0.0.1'],
  ['--secure without plain HTTP', { ...LINUX, secure: true, plainHttp: 'off' }, undefined, '127.0.0.1'],
  ['no plain HTTP', { ...LINUX, plainHttp: 'off' }, undefined, '127.0.0.1'],
  ['all addresses', { ...LINUX, host: '0.0.0.0' }, undefined, '0.0.0.0'],
  ['all addresses of IPv6', { ...LINUX, host: '::' }, undefined, '::'],
  ['one address', { ...LINUX, host: '10.0.0.5' }, undefined, '10.0.0.5'],
  ['all addresses and plain HTTP', { ...LINUX, host: '0.0.0.0', plainHttp: 'on' }, '127.0.0.1', '0.0.0.0'],
  ['all addresses and all users', { ...LINUX, host: '0.0.0.0', allLocalUsers: true }, undefined, '0.0.0.0'],
  ['macOS', MAC, undefined, '127.0.0.1'],
  ['macOS for all users', { ...MAC, allLocalUsers: true }, '127.0.0.1', undefined],
  ['macOS with plain HTTP', { ...MAC, plainHttp: 'on' }, '127.0.0.1', undefined],
  ['macOS with both', { ...MAC, plainHttp: 'on', secure: true }, '127.0.0.1', '127.0.0.1'],
  ['macOS for others', { ...MAC, host: '0.0.0.0' }, undefined, '0.0.0.0'],
  ['Windows', { ...LINUX, platform: 'win32' }, undefined, '127.0.0.1'],
])('%s', (_, options, plain, secure) => {
  expect(planAccess(options)).toEqual({ plain, secure })
})

test.each(['example.com', '', '1.2.3', '127.0.0.1.evil', 'fe80::1%eth0x y'])('%s is no address', (host) => {
  expect(() => planAccess({ ...LINUX, host })).toThrow('this is no address; use 127.0.0.1')
})

test('addresses are written as URLs, and this machine reaches them', () => {
  expect(baseUrl('::1', 3000)).toBe('http://[::1]:3000')
  expect(baseUrl('10.0.0.5', 6443, 'https')).toBe('https://10.0.0.5:6443')
  expect(['0.0.0.0', '::', '10.0.0.5'].map(localAddress)).toEqual(['127.0.0.1', '::1', '10.0.0.5'])
})
