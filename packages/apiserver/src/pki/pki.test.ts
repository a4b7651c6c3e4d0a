import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { ephemeralPki, makePki, makeTokenKey, readPki, readTokenKeys, tokenKeysText } from './pki.ts'

test('keys that were written are read', async () => {
  const files = await makePki()
  const pki = readPki(files)
  expect(pki.caCertificate).toBe(files['ca.crt'])
  expect(pki.tokenKeys.map(({ asymmetricKeyType }) => asymmetricKeyType)).toEqual(['ec'])
})

test.each(['ca.crt', 'ca.key', 'token.key'] as const)('a damaged %s is named', async (name) => {
  const files = await makePki()
  expect(() => readPki({ ...files, [name]: files[name].slice(0, 80) })).toThrow(`${name} does not hold`)
  expect(() => readPki({ ...files, [name]: '' })).toThrow(`${name} does not hold`)
})

test('a key that is not the key of the certificate is refused', async () => {
  const files = await makePki()
  expect(() => readPki({ ...files, 'ca.key': files['token.key'] })).toThrow('ca.key is not the key of ca.crt')
})

test('a key of another kind is refused for tokens', async () => {
  const files = await makePki()
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  expect(() => readPki({ ...files, 'token.key': pem })).toThrow('token.key is not a P-256 key')
})

test('a server without keys keeps those it made', async () => {
  const pki = await ephemeralPki(Date.now())
  expect(pki.caCertificate).toContain('BEGIN CERTIFICATE')
  expect(pki.tokenKeys).toBe(pki.tokenKeys)
})

test('several keys for tokens are read in their order, and a damaged one among them is named', () => {
  const keys = [makeTokenKey(), makeTokenKey(), makeTokenKey()]
  const text = tokenKeysText(keys)
  expect(readTokenKeys(text).map((key, at) => keys[at]?.equals(key))).toEqual([true, true, true])
  expect(() => readTokenKeys(text.replace(/MIG.{20}/, 'MIG'))).toThrow('token.key does not hold')
})
