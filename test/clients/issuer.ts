// An OpenID provider over https, npm's oidc-provider, that gives each client of the matrix a token of its own.

import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { makePki } from '@homeostat/apiserver/keys'
import { issueCertificate } from '@homeostat/pki'
import { Provider } from 'oidc-provider'

export const AUDIENCE = 'homeostat'
const SECRET = 'of-the-matrix'
const HOUR_S = 3600

export interface Issuer {
  readonly url: string
  /** PEM of the authority of its certificate. */
  readonly ca: string
  /** A JWT whose subject is the name, one of those that the issuer was started with. */
  token(name: string): Promise<string>
  stop(): void
}

export async function startIssuer(names: readonly string[]): Promise<Issuer> {
  const pki = await makePki()
  const authority = { certificate: pki['ca.crt'], key: createPrivateKey(pki['ca.key']) }
  const { certificate, key } = issueCertificate(authority, {
    commonName: 'issuer',
    usage: 'server',
    addresses: ['127.0.0.1'],
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + HOUR_S * 1000),
  })
  const server = createServer({ cert: certificate, key })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  server.on('request', new Provider(url, configuration(names)).callback())
  return {
    url,
    ca: authority.certificate,
    token: async (name) => {
      const basic = Buffer.from(`${name}:${SECRET}`).toString('base64')
      const headers = { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' }
      const sent = request(`${url}/token`, { method: 'POST', headers, ca: authority.certificate })
      sent.end(`grant_type=client_credentials&resource=urn:${AUDIENCE}`)
      const [response] = await once(sent, 'response')
      const text = (await response.setEncoding('utf8').toArray()).join('')
      if (response.statusCode !== 200) throw new Error(`the issuer gives ${name} no token: ${text}`)
      return JSON.parse(text).access_token as string
    },
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Clients that authenticate by a secret get JWTs for one resource: this server. */
function configuration(names: readonly string[]): object {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'matrix', alg: 'ES256', use: 'sig' }
  return {
    clients: names.map((name) => ({
      client_id: name,
      client_secret: SECRET,
      grant_types: ['client_credentials'],
      response_types: [],
      redirect_uris: [],
      id_token_signed_response_alg: 'ES256',
    })),
    jwks: { keys: [jwk] },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: async () => ({
          scope: '',
          audience: AUDIENCE,
          accessTokenTTL: HOUR_S,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  }
}
