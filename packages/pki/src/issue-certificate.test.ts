import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeAuthority } from './certificate-authority.ts'
import { type CertificateRequest, issueCertificate } from './issue-certificate.ts'

const NOW = Date.UTC(2026, 0, 31, 12)
const REQUEST: CertificateRequest = {
  commonName: 'ann',
  usage: 'client',
  notBefore: new Date(NOW),
  notAfter: new Date(NOW + 86_400_000),
}

test('a client certificate names its user and groups, for its time, signed by the authority', () => {
  const authority = makeAuthority(NOW)
  const issued = issueCertificate(authority, { ...REQUEST, organizations: ['system:masters', 'a\nO=b, c'] })
  const read = new X509Certificate(issued.certificate)
  const root = new X509Certificate(authority.certificate)
  expect(read.toLegacyObject().subject).toEqual({ O: ['system:masters', 'a\nO=b, c'], CN: 'ann' })
  expect(read.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
  expect([read.ca, read.checkIssued(root), read.verify(createPublicKey(authority.key))]).toEqual([false, true, true])
  expect(read.checkPrivateKey(createPrivateKey(issued.key))).toBe(true)
  expect([read.validFromDate.getTime(), read.validToDate.getTime()]).toEqual([NOW, NOW + 86_400_000])
  expect(read.subjectAltName).toBeUndefined()
})

test('a serving certificate is for names and addresses', () => {
  const addresses = ['127.0.0.1', '::1', 'fe80::1:2', '1:2:3:4:5:6:7:8', '::ffff:10.0.0.1']
  const dnsNames = ['localhost', '*.example.com', 'host-1']
  const issued = issueCertificate(makeAuthority(NOW), { ...REQUEST, usage: 'server', dnsNames, addresses })
  const read = new X509Certificate(issued.certificate)
  expect(read.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
  for (const name of ['localhost', 'a.example.com', 'host-1']) expect(read.checkHost(name)).toBeDefined()
  for (const address of addresses) expect(read.checkIP(address)).toBe(address)
  expect(read.checkHost('example.com')).toBeUndefined()
})

test('authorities of one name are told apart by their keys', () => {
  const [one, other] = [makeAuthority(NOW), makeAuthority(NOW)]
  const read = new X509Certificate(issueCertificate(other, REQUEST).certificate)
  expect(read.checkIssued(new X509Certificate(one.certificate))).toBe(false)
  expect(read.checkIssued(new X509Certificate(other.certificate))).toBe(true)
})

test.each([
  ['a name with a space', { dnsNames: ['a b'] }, '"a b" is not a host name'],
  ['an empty name', { dnsNames: [''] }, '"" is not a host name'],
  ['no address', { addresses: ['1.2.3'] }, '"1.2.3" is not an IP address'],
  ['an address with a zone', { addresses: ['fe80::1%eth0'] }, 'is not an IP address'],
])('%s is refused', (_, wrong, message) => {
  expect(() => issueCertificate(makeAuthority(NOW), { ...REQUEST, ...wrong })).toThrow(message)
})
