import { createPublicKey, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeAuthority } from './certificate-authority.ts'

const NOW = Date.UTC(2026, 0, 31, 12)

test('an authority signs itself, may sign others, and lasts ten years', () => {
  const { certificate, key } = makeAuthority(NOW)
  const read = new X509Certificate(certificate)
  expect(read.ca).toBe(true)
  expect(read.subject).toBe('CN=homeostat')
  expect(read.issuer).toBe('CN=homeostat')
  expect(read.verify(createPublicKey(key))).toBe(true)
  expect(read.checkIssued(read)).toBe(true)
  expect(read.checkPrivateKey(key)).toBe(true)
  expect(read.validFromDate.toISOString()).toBe('2026-01-31T11:00:00.000Z')
  expect(read.validToDate.toISOString()).toBe('2036-01-31T12:00:00.000Z')
  expect(read.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' })
})

test('a year after 2049 is written with all its digits', () => {
  const read = new X509Certificate(makeAuthority(Date.UTC(2045, 5, 1)).certificate)
  expect(read.validToDate.toISOString()).toBe('2055-06-01T00:00:00.000Z')
})

test('no two authorities have the same number', () => {
  const numbers = Array.from({ length: 20 }, () => new X509Certificate(makeAuthority(NOW).certificate).serialNumber)
  expect(new Set(numbers).size).toBe(20)
  for (const number of numbers) expect(number).toMatch(/^[4-7][0-9A-F]{31}$/)
})
