import { createHmac, createPublicKey, sign } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeTokenKey } from '../pki/pki.ts'
import { TokenKeys } from './token.ts'

const secret = makeTokenKey()
const secrets = [secret]
const key = new TokenKeys(() => secrets)
const claims = { sub: 'me', n: 1, list: ['ä', '"'] }
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const partsOf = (token: string) => token.split('.') as [string, string, string]
const headerOf = (token: string) => JSON.parse(Buffer.from(partsOf(token)[0], 'base64url').toString()) as object

describe('a signed token', () => {
  it('gives back what was signed', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (given) => {
        const clean = JSON.parse(JSON.stringify(given)) as Record<string, unknown>
        expect(key.verify(key.sign(clean))).toEqual(clean)
      }),
      { numRuns: 50 },
    )
  })

  it('is refused when a single letter of it changes', () => {
    const token = key.sign(claims)
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom(...'ABCyz019-_.=+ '), (at, letter) => {
        fc.pre(token[at] !== letter)
        expect(key.verify(token.slice(0, at) + letter + token.slice(at + 1))).toBeUndefined()
      }),
      { numRuns: 500 },
    )
  })

  it('is refused when another key signed it, even under our name', () => {
    const foreign = makeTokenKey()
    const others = [foreign]
    const token = new TokenKeys(() => others).sign(claims)
    expect(key.verify(token)).toBeUndefined()
    const [header] = partsOf(key.sign(claims))
    const signed = `${header}.${encode(claims)}`
    const signature = sign('sha256', Buffer.from(signed), { key: foreign, dsaEncoding: 'ieee-p1363' })
    expect(key.verify(`${signed}.${signature.toString('base64url')}`)).toBeUndefined()
  })

  it.each(['none', 'None', 'NONE', ''])('is refused without a signature and algorithm "%s"', (alg) => {
    const header = { ...headerOf(key.sign(claims)), alg }
    expect(key.verify(`${encode(header)}.${encode(claims)}.`)).toBeUndefined()
    expect(key.verify(`${encode(header)}.${encode(claims)}.${partsOf(key.sign(claims))[2]}`)).toBeUndefined()
    expect(key.verify(`${partsOf(key.sign(claims))[0]}.${encode(claims)}.`)).toBeUndefined()
  })

  it('is refused when the public key was used as the secret of an HMAC', () => {
    const publicKey = createPublicKey(secret)
    for (const shared of [
      publicKey.export({ type: 'spki', format: 'pem' }),
      publicKey.export({ type: 'spki', format: 'der' }),
      JSON.stringify(publicKey.export({ format: 'jwk' })),
    ]) {
      const signed = `${encode({ ...headerOf(key.sign(claims)), alg: 'HS256' })}.${encode(claims)}`
      const signature = createHmac('sha256', shared).update(signed).digest('base64url')
      expect(key.verify(`${signed}.${signature}`)).toBeUndefined()
    }
  })

  it.each([{ jwk: {} }, { jku: 'https://example.com' }, { crit: ['exp'] }, { typ: 'other' }])(
    'is refused with %o in a header that we signed ourselves',
    (more) => {
      const signed = `${encode({ ...headerOf(key.sign(claims)), ...more })}.${encode(claims)}`
      const signature = sign('sha256', Buffer.from(signed), { key: secret, dsaEncoding: 'ieee-p1363' })
      expect(key.verify(`${signed}.${signature.toString('base64url')}`)).toBeUndefined()
    },
  )

  it.each(['', '.', '..', '...', 'a.b.c', 'x'.repeat(100_000), '{"payload":"x"}', `${'.'.repeat(50_000)}`])(
    'is not what %.20s is',
    (text) => {
      expect(key.verify(text)).toBeUndefined()
    },
  )

  it('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => key.verify(text) === undefined))
  })

  it('is refused with claims that are no object', () => {
    for (const payload of [null, [], 'text', 1]) {
      expect(key.verify(key.sign(payload as unknown as Record<string, unknown>))).toBeUndefined()
    }
  })
})

describe('the key', () => {
  it('is shown without its private half', () => {
    expect(Object.keys(key.jwks()[0] ?? {}).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  })

  it('is not made before it is needed', () => {
    let made = 0
    const lazy = new TokenKeys(() => {
      made++
      return secrets
    })
    expect(made).toBe(0)
    lazy.verify(lazy.sign({}))
    expect(made).toBeGreaterThan(0)
  })
})
