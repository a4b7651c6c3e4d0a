// The client over TLS: whom it trusts, whom it shows itself as, and where a kubeconfig says so.

import { writeFileSync } from 'node:fs'
import { createServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { makePki, type PkiFiles } from '@homeostat/apiserver/keys'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { createClient } from '@homeostat/client'
import { clientFromKubeconfig, type NodeTransportOptions, nodeTransport } from '@homeostat/client/node'
import { beforeAll, expect, onTestFinished, test } from 'vitest'

/** Two authorities that signed themselves; one is the server here, the other its client. Both are named `homeostat`. */
let own: PkiFiles
let other: PkiFiles

beforeAll(async () => {
  own = await makePki()
  other = await makePki()
})

/** Answers every request with the name of the client, and the header that says who it is. */
async function secureServer(options: ServerOptions = {}): Promise<string> {
  const server = createServer({ key: own['ca.key'], cert: own['ca.crt'], ...options }, (request, response) => {
    const { subject } = (request.socket as TLSSocket).getPeerCertificate()
    const { authorization } = request.headers
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ name: subject?.CN, authorization }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const VERSION = { method: 'GET', path: '/version' }

async function ask(options: NodeTransportOptions): Promise<unknown> {
  const client = createClient(nodeTransport(options), { retry: { tries: 1 } })
  onTestFinished(() => client.close())
  return client.requestJson(VERSION)
}

test('a server is trusted by the authority and the name that were said, and by nothing else', async () => {
  const url = await secureServer()
  const ca = own['ca.crt']
  const servername = 'homeostat'
  expect(await ask({ url, ca, servername })).toEqual({})
  await expect(ask({ url, servername })).rejects.toThrow('self-signed certificate')
  await expect(ask({ url, ca: other['ca.crt'], servername })).rejects.toThrow('certificate')
  await expect(ask({ url, ca, servername: 'elsewhere' })).rejects.toThrow("does not match certificate's altnames")
  await expect(ask({ url, ca })).rejects.toThrow("does not match certificate's altnames")
  expect(await ask({ url, insecureSkipTlsVerify: true })).toEqual({})
})

test('a client shows its certificate, from options or from credentials', async () => {
  const url = await secureServer({ requestCert: true, ca: other['ca.crt'] })
  const trust = { url, ca: own['ca.crt'], servername: 'homeostat' }
  const shown = { cert: other['ca.crt'], key: other['ca.key'] }
  expect(await ask({ ...trust, ...shown })).toEqual({ name: 'homeostat' })
  await expect(ask(trust)).rejects.toThrow()
  expect(await ask({ ...trust, credentials: { get: async () => shown, refused: () => false } })).toEqual({
    name: 'homeostat',
  })
})

test('a kubeconfig leads to a server with certificates, and its token is sent', async () => {
  const server = await secureServer({ requestCert: true, ca: other['ca.crt'] })
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries({ 'ca.crt': own['ca.crt'], 'me.crt': other['ca.crt'] })) {
    writeFileSync(join(folder, name), text)
  }
  const config = `
apiVersion: v1
kind: Config
current-context: here
contexts:
- name: here
  context: {cluster: there, user: me}
clusters:
- name: there
  cluster:
    server: ${server}
    certificate-authority: ca.crt
    tls-server-name: homeostat
users:
- name: me
  user:
    client-certificate: me.crt
    client-key-data: ${Buffer.from(other['ca.key']).toString('base64')}
    token: secret
`
  writeFileSync(join(folder, 'config'), config)
  const client = await clientFromKubeconfig({ path: join(folder, 'config') })
  onTestFinished(() => client.close())
  expect(await client.requestJson(VERSION)).toEqual({ name: 'homeostat', authorization: 'Bearer secret' })
})
