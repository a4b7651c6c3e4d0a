import { afterAll, expect, it } from 'vitest'
import { CONFIG_MAPS } from './definitions.ts'
import { serve } from './server.ts'

const server = await serve()
afterAll(() => server.close())

const ask = async (host: string, more = '', method = 'GET', path = CONFIG_MAPS) => {
  const answer = await server.raw(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`)
  return Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1])
}

it('answers to every name of this machine itself', async () => {
  for (const host of [
    'localhost',
    'LOCALHOST:80',
    '127.0.0.1',
    '127.0.0.1:1',
    '127.9.8.7',
    '[::1]',
    '[::1]:3000',
    'a.localhost',
  ])
    expect(await ask(host), host).toBe(200)
})

it('refuses names that somebody else could have pointed here', async () => {
  const foreign = [
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '127.0.0.1.nip.io:3000',
    'evil.example:127',
    '10.0.0.1',
    '0.0.0.0',
    '[::]',
    '[fe80::1]',
    'notlocalhost',
    '127.0.0.1@evil.example',
    'evil.example#localhost',
    '',
  ]
  for (const host of foreign) expect(await ask(host), host).toBe(403)
  for (const path of ['/', '/healthz', '/metrics', '/watch', '/openapi/v3', '/apis'])
    expect(await ask('evil.example', '', 'GET', path), path).toBe(403)
})

it('refuses pages from elsewhere, whatever they send', async () => {
  for (const origin of [
    'https://evil.example',
    'http://localhost.evil.example',
    'null',
    'file://',
    'http://10.0.0.1',
  ]) {
    expect(await ask('localhost', `Origin: ${origin}\r\n`), origin).toBe(403)
    expect(await ask('localhost', `Origin: ${origin}\r\n`, 'OPTIONS'), origin).toBe(403)
    expect(await ask('localhost', `Origin: ${origin}\r\nContent-Length: 0\r\n`, 'POST'), origin).toBe(403)
  }
  for (const origin of ['http://localhost:8080', 'http://127.0.0.1', 'https://[::1]:5173'])
    expect(await ask('localhost', `Origin: ${origin}\r\n`), origin).toBe(200)
})

it('says who it answers to', async () => {
  const { status, body } = await server.get('/apis', { headers: { origin: 'https://evil.example' } })
  expect(status).toBe(403)
  expect(body).toMatchObject({
    kind: 'Status',
    reason: 'Forbidden',
    message: expect.stringContaining('https://evil.example'),
  })
  expect(body.message).not.toContain('""')
})

it('refuses credentials that it did not issue', async () => {
  const { status } = await server.get(CONFIG_MAPS, { headers: { authorization: 'Bearer anything' } })
  expect(status).toBe(401)
})
