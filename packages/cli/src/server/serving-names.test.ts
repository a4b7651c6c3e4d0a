import { expect, test } from 'vitest'
import { type NamedMachine, servingNames } from './serving-names.ts'

const address = (text: string) => ({ address: text }) as NonNullable<NamedMachine['interfaces'][string]>[number]
const machine: NamedMachine = {
  hostname: 'alpha',
  interfaces: { lo: [address('127.0.0.1')], eth0: [address('10.0.0.5'), address('fe80::1'), address('2001:db8::5')] },
}

test('on loopback they are those of this machine alone', () => {
  const { dnsNames, addresses } = servingNames('127.0.0.1', [], machine)
  expect(dnsNames).toContain('localhost')
  expect(dnsNames).toContain('alpha')
  expect(addresses).toEqual(['10.0.0.1', '127.0.0.1', '::1'])
})

test('on all addresses they are all that others can use', () => {
  const { addresses } = servingNames('0.0.0.0', [], machine)
  expect(addresses).toEqual(['10.0.0.1', '10.0.0.5', '127.0.0.1', '2001:db8::5', '::1'])
})

test('on one address it is that one, and more are added', () => {
  const { dnsNames, addresses } = servingNames('10.0.0.5', ['api.example.com', '192.0.2.1', '*.here.test'], machine)
  expect(addresses).toEqual(['10.0.0.1', '10.0.0.5', '127.0.0.1', '192.0.2.1', '::1'])
  expect(dnsNames).toEqual(expect.arrayContaining(['api.example.com', '*.here.test']))
})

test('a hostname that is no name is left out, and one that was asked for is refused', () => {
  expect(servingNames('127.0.0.1', [], { ...machine, hostname: 'a_b c' }).dnsNames).not.toContain('a_b c')
  expect(() => servingNames('127.0.0.1', ['a b'], machine)).toThrow('--tls-san a b: this is neither')
})
