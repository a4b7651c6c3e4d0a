import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Body } from './body.ts'
import { CONFIG_MAPS, configMap } from './definitions.ts'
import { serve } from './server.ts'

const server = await serve()
afterAll(() => server.close())

beforeAll(async () => {
  for (let i = 0; i < 40; i++)
    await server.post(CONFIG_MAPS, { ...configMap(`large-${i}`), data: { text: `${i} `.repeat(4000) } })
  await server.post(CONFIG_MAPS, { ...configMap('huge'), data: { text: 'text '.repeat(40_000) } })
})

it('compresses a long list, and what comes out is the list', async () => {
  const { headers, body } = await ask(CONFIG_MAPS, 'gzip')
  expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
  const plain = await ask(CONFIG_MAPS, 'identity')
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(plain.headers.vary).toBeUndefined()
  expect(gunzipSync(body).equals(plain.body)).toBe(true)
  expect(body.length).toBeLessThan(plain.body.length / 4)
  expect((JSON.parse(plain.body.toString()) as Body).items.length).toBeGreaterThan(40)
})

it('compresses one large object, with its length', async () => {
  const { headers, body } = await ask(`${CONFIG_MAPS}/huge`, 'deflate, gzip;q=0.5')
  expect(headers['content-encoding']).toBe('gzip')
  expect(Number(headers['content-length'])).toBe(body.length)
  expect(JSON.parse(gunzipSync(body).toString())).toMatchObject({ metadata: { name: 'huge' } })
})

it.each([
  ['a small answer', `${CONFIG_MAPS}/large-1`, 'gzip'],
  ['an answer to a client that refuses it', CONFIG_MAPS, 'gzip;q=0, identity'],
  ['a watch', `${CONFIG_MAPS}?watch=true&timeoutSeconds=1`, 'gzip'],
])('leaves %s alone', async (_what, path, encoding) => {
  const { headers, body } = await ask(path, encoding)
  expect(headers['content-encoding']).toBeUndefined()
  expect(body.subarray(0, 1).toString()).toBe('{')
})

it('compresses tables and indented responses too', async () => {
  for (const [path, accept] of [
    [`${CONFIG_MAPS}?pretty=true`, 'application/json'],
    [`${CONFIG_MAPS}?includeObject=Object`, 'application/json;as=Table;g=meta.k8s.io;v=v1'],
  ] as const) {
    const { headers, body } = await ask(path, 'gzip', accept)
    expect(headers['content-encoding']).toBe('gzip')
    expect(() => JSON.parse(gunzipSync(body).toString())).not.toThrow()
  }
})

interface Raw {
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: Buffer
}

/** The raw response. */
function ask(path: string, encoding: string, accept = 'application/json'): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': encoding, accept }
    request(server.url + path, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }))
    })
      .on('error', reject)
      .end()
  })
}
