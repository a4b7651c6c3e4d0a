// A real OIDC issuer (oidc-provider) over https on loopback, which lets everybody in under the name they type.

import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { makePki, readPki } from '@homeostat/apiserver/keys'
import { issueCertificate } from '@homeostat/pki'
import { Provider } from 'oidc-provider'
import { onTestFinished } from 'vitest'

export interface TestProvider {
  readonly url: string
  /** PEM of the authority of its certificate. */
  readonly ca: string
  /** Requests to its token endpoint so far. */
  readonly tokenRequests: () => number
}

export const CLIENT_ID = 'homeostat-cli'
export const PAGE_CLIENT_ID = 'homeostat-page'

export interface ProviderOptions {
  /** The life of its ID tokens. */
  readonly idTokenSeconds?: number
  /** Where it sends browsers back to that log in at a page. Default: it knows no page. */
  readonly pages?: readonly string[]
}

export async function startProvider({
  idTokenSeconds = 3600,
  pages = [],
}: ProviderOptions = {}): Promise<TestProvider> {
  const pki = readPki(await makePki(Date.now()))
  const { certificate, key } = issueCertificate(pki.issuingAuthority, {
    commonName: 'issuer',
    usage: 'server',
    addresses: ['127.0.0.1'],
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
  })
  let asked = 0
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {}
  const server = createServer({ cert: certificate, key }, (request, response) => {
    if (request.url === '/token') asked++
    handle(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(url, {
    clients: [
      {
        client_id: CLIENT_ID,
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
        redirect_uris: ['http://127.0.0.1/callback'],
      },
      ...(pages.length === 0 ? [] : [pageClient(pages)]),
    ],
    features: { deviceFlow: { enabled: true }, devInteractions: { enabled: true } },
    scopes: ['openid', 'offline_access'],
    ttl: { IdToken: idTokenSeconds },
    cookies: { keys: ['a key for tests'] },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
  })
  handle = provider.callback()
  return { url, ca: pki.caCertificate, tokenRequests: () => asked }
}

/** A client without a secret: what a login needs beyond its code stays with the server that began it. */
function pageClient(pages: readonly string[]): object {
  return {
    client_id: PAGE_CLIENT_ID,
    application_type: 'web',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: pages,
  }
}
