import { afterAll, describe, expect, it } from 'vitest'
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
    'http://localhost:8080',
    'http://127.0.0.1',
    'https://localhost',
    'http://localhost.',
    'http://a.localhost',
    '',
  ]) {
    expect(await ask('localhost', `Origin: ${origin}\r\n`), origin).toBe(403)
    expect(await ask('localhost', `Origin: ${origin}\r\n`, 'OPTIONS'), origin).toBe(403)
    expect(await ask('localhost', `Origin: ${origin}\r\nContent-Length: 0\r\n`, 'POST'), origin).toBe(403)
  }
})

it('serves pages of its own, by whatever name and tunnel they came', async () => {
  for (const host of ['localhost', 'localhost:8080', '127.0.0.1:3000', '[::1]:3000', 'LOCALHOST:3000'])
    expect(await ask(host, `Origin: http://${host.toLowerCase()}\r\nSec-Fetch-Site: same-origin\r\n`), host).toBe(200)
})

it('refuses what a page of another origin makes a browser send without its name', async () => {
  for (const site of ['cross-site', 'same-site', 'something-new'])
    expect(await ask('localhost', `Sec-Fetch-Site: ${site}\r\n`), site).toBe(403)
  for (const site of ['none', 'same-origin'])
    expect(await ask('localhost', `Sec-Fetch-Site: ${site}\r\n`), site).toBe(200)
})

describe('with an allowed origin', async () => {
  const PAGE = 'http://localhost:5173'
  const server = await serve({ allowOrigins: [PAGE] })
  afterAll(() => server.close())
  const fromPage = { origin: PAGE, 'sec-fetch-site': 'same-site' }

  it('lets its pages ask first, and then read every response', async () => {
    const asked = await server.send('OPTIONS', CONFIG_MAPS, {
      headers: {
        ...fromPage,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'content-type',
        'access-control-request-private-network': 'true',
      },
    })
    expect(asked.status).toBe(204)
    expect(Object.fromEntries(asked.headers)).toMatchObject({
      'access-control-allow-origin': PAGE,
      'access-control-allow-methods': expect.stringContaining('PATCH'),
      'access-control-allow-headers': 'content-type',
      'access-control-allow-private-network': 'true',
      vary: 'Origin',
    })
    for (const path of [
      CONFIG_MAPS,
      '/apis',
      '/openapi/v3',
      '/openapi/v2',
      '/metrics',
      '/nowhere',
      `${CONFIG_MAPS}/none`,
    ]) {
      const { headers } = await server.get(path, { headers: fromPage })
      expect(headers.get('access-control-allow-origin'), path).toBe(PAGE)
      expect(headers.get('vary'), path).toContain('Origin')
    }
  })

  it('lets nobody else', async () => {
    for (const origin of [
      'http://localhost:5174',
      'https://localhost:5173',
      'http://localhost:5173.evil.example',
      'null',
    ]) {
      const { status, headers } = await server.get(CONFIG_MAPS, { headers: { origin } })
      expect(status, origin).toBe(403)
      expect(headers.get('access-control-allow-origin'), origin).toBeNull()
    }
    const own = await server.get(CONFIG_MAPS)
    expect(own.headers.get('vary')).toContain('Origin')
    expect(own.headers.get('access-control-allow-origin')).toBeNull()
  })
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
