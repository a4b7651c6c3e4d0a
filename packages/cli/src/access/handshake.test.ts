import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { createServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { makePki, readPki } from '@homeostat/apiserver/keys'
import { issueCertificate } from '@homeostat/pki'
import { expect, it, onTestFinished } from 'vitest'
import { handshake } from './handshake.ts'

const HOUR_MS = 3_600_000

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

it('tells whether clients that trust an authority would accept the certificate, by name or address', async () => {
  const now = Date.now()
  const { issuingAuthority: authority, caCertificate: ca } = readPki(await makePki(now))
  const { certificate, key } = issueCertificate(authority, {
    commonName: 'server',
    usage: 'server',
    addresses: ['127.0.0.1'],
    notBefore: new Date(now - HOUR_MS),
    notAfter: new Date(now + HOUR_MS),
  })
  const port = await listening(createTlsServer({ cert: certificate, key }))
  expect(await handshake(`https://127.0.0.1:${port}`, ca)).toBe('verified')
  expect(await handshake(`https://localhost:${port}`, ca), 'another name').toBe('refused')
  expect(await handshake(`https://127.0.0.1:${port}`, undefined), 'authorities of this machine').toBe('refused')
  expect(await handshake(`https://127.0.0.1:${port}`, readPki(await makePki(now)).caCertificate)).toBe('refused')
})

it('where nobody speaks TLS, nobody is reached', async () => {
  const port = await listening(createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))
  expect(await handshake(`https://127.0.0.1:${port}`, undefined)).toBe('unreachable')
  expect(await handshake('https://127.0.0.1:1', undefined)).toBe('unreachable')
  expect(await handshake('https://127.0.0.1:1', 'no PEM')).toBe('unreachable')
})
