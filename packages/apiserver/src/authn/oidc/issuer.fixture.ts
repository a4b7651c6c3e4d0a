// An OIDC issuer over https for tests: its documents can be changed and are counted.

import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { issueCertificate, makeAuthority } from '@homeostat/pki'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { onTestFinished } from 'vitest'

type Pair = Awaited<ReturnType<typeof generateKeyPair>>

export interface TestIssuer {
  readonly url: string
  /** PEM of the authority of its certificate. */
  readonly ca: string
  /** Requests so far, by path. */
  readonly requests: string[]
  /** What it serves; a test may change it. A status other than 200 fails every request. */
  readonly answer: { status: number; discovery: Record<string, unknown>; keys: JWK[]; raw?: string }
  readonly privateKey: Pair['privateKey']
  /** A new key; the keys that are served stay until the test changes them. */
  newKey(kid: string): Promise<{ privateKey: Pair['privateKey']; jwk: JWK }>
  /** Signs with its first key, for an hour from `now` on. */
  sign(claims: Record<string, unknown>, header?: Record<string, unknown>, key?: Pair['privateKey']): Promise<string>
}

/** `now` in milliseconds. It ends with the test. */
export async function startIssuer(now: number): Promise<TestIssuer> {
  const authority = makeAuthority(Date.now(), 'issuer')
  const { certificate, key } = issueCertificate(authority, {
    commonName: 'issuer',
    usage: 'server',
    addresses: ['127.0.0.1'],
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
  })
  const requests: string[] = []
  const server = createServer({ cert: certificate, key }, ({ url = '' }, response) => {
    requests.push(url)
    const document = url === '/keys' ? { keys: answer.keys } : answer.discovery
    response.writeHead(answer.status, { location: '/elsewhere' }).end(answer.raw ?? JSON.stringify(document))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const newKey: TestIssuer['newKey'] = async (kid) => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } }
  }
  const first = await newKey('one')
  const answer: TestIssuer['answer'] = {
    status: 200,
    discovery: { issuer: url, jwks_uri: `${url}/keys` },
    keys: [first.jwk],
  }
  return {
    url,
    ca: authority.certificate,
    requests,
    answer,
    privateKey: first.privateKey,
    newKey,
    sign: (claims, header = {}, signingKey = first.privateKey) => {
      const seconds = Math.floor(now / 1000)
      const usual = { iss: url, aud: 'homeostat', sub: 'ada', exp: seconds + 3600, iat: seconds }
      return new SignJWT({ ...usual, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'one', ...header })
        .sign(signingKey)
    },
  }
}
