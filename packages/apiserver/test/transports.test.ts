// A response must not depend on the transport that carries it.

import { once } from 'node:events'
import { gunzipSync } from 'node:zlib'
import { systemClock } from '@homeostat/base'
import { internalError } from '@homeostat/meta'
import { tooManyRequests } from '@homeostat/meta/server'
import { describe, expect, it } from 'vitest'
import { AuditIds } from '../src/exchange/audit-ids.ts'
import { BatchRequests } from '../src/exchange/batch-requests.ts'
import { Exchange } from '../src/exchange/exchange.ts'
import { readBytes } from '../src/exchange/read-body.ts'
import { ResponseBudget } from '../src/exchange/response-budget.ts'
import { ADMINISTRATOR } from '../src/identity/user.ts'
import { Negotiation } from '../src/represent/representation.ts'
import { YamlWorkers } from '../src/represent/yaml.ts'
import { CONFIG_MAPS, configMap } from './definitions.ts'
import { routed } from './routed.ts'
import { type Client, TRANSPORTS } from './transports.ts'

describe.each(TRANSPORTS)('over $name', ({ serve }) => {
  /** A server that passes each exchange to the test's handler, and the exchanges that were answered. */
  async function exchanging(handle: (exchange: Exchange) => unknown): Promise<{ client: Client; ended: Exchange[] }> {
    const ended: Exchange[] = []
    const parts = {
      responses: new ResponseBudget(systemClock),
      auditIds: new AuditIds(),
      batch: new BatchRequests(),
      negotiation: new Negotiation(),
      yaml: new YamlWorkers(),
      onAnswered: (exchange: Exchange) => void ended.push(exchange),
    }
    const client = await serve(async (transport) => {
      const exchange = new Exchange(transport, parts)
      try {
        await handle(exchange)
      } catch (error) {
        exchange.fail(error)
      }
    })
    return { client, ended }
  }

  const answer = (body: string | Buffer) => ({ contentType: 'text/plain', body: Buffer.from(body) })

  it('a short response comes with its head, its warnings and an id of its own', async () => {
    const { client, ended } = await exchanging(({ response }) => {
      response.warn('old')
      response.warn('old')
      response.warn('older')
      response.send(201, answer('here'), ['ETag', '"1"'])
    })
    const first = await client.send({ path: '/x' })
    expect(first).toMatchObject({
      status: 201,
      headers: {
        'content-type': 'text/plain',
        'content-length': '4',
        'cache-control': 'no-cache, private',
        warning: '299 - "old", 299 - "older"',
        etag: '"1"',
      },
    })
    expect((await first.body()).toString()).toBe('here')
    expect((await client.send({})).headers['audit-id']).not.toBe(first.headers['audit-id'])
    expect(ended.map(({ transport }) => transport.status)).toEqual([201, 201])
  })

  it('a HEAD gets the head alone', async () => {
    const { client } = await exchanging(({ response }) => response.send(200, answer('here')))
    const head = await client.send({ method: 'HEAD' })
    expect([head.status, head.headers['content-length'], (await head.body()).length]).toEqual([200, '4', 0])
  })

  it('a status without a body has none', async () => {
    const { client, ended } = await exchanging(({ response }) => response.sendEmpty(304, ['ETag', '"1"']))
    const empty = await client.send({})
    expect([empty.status, empty.headers.etag, (await empty.body()).length]).toEqual([304, '"1"', 0])
    expect(ended).toHaveLength(1)
  })

  it('a large response comes whole, and compressed to those who take it', async () => {
    const large = Buffer.from(Array.from({ length: 200_000 }, (_, i) => `line ${i}\n`).join(''))
    const { client } = await exchanging(({ response }) => response.send(200, answer(large)))
    const plain = await client.send({})
    expect((await plain.body()).equals(large)).toBe(true)
    const gzip = await client.send({ headers: { 'accept-encoding': 'gzip' } })
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(await gzip.body()).equals(large)).toBe(true)
  })

  it('pieces are made no faster than the client reads', async () => {
    let made = 0
    function* pieces() {
      while (made++ < 100) yield Buffer.alloc(1 << 20, 'x')
    }
    const { client, ended } = await exchanging(({ response }) =>
      response.sendPieces(200, { contentType: 'text/plain', length: undefined, pieces: pieces() }),
    )
    const reply = await client.send({})
    await once(reply.stream, 'readable')
    expect(made).toBeLessThan(100)
    expect(ended).toHaveLength(0)
    expect((await reply.body()).length).toBe(100 << 20)
  })

  it('an error is a Status, with the time to wait in a header', async () => {
    const { client, ended } = await exchanging(() => {
      throw tooManyRequests('later', 7)
    })
    const reply = await client.send({})
    expect([reply.status, reply.headers['retry-after']]).toEqual([429, '7'])
    expect(JSON.parse((await reply.body()).toString())).toMatchObject({ kind: 'Status', reason: 'TooManyRequests' })
    expect(ended[0]?.failure?.code).toBe(429)
  })

  it('an error before the first piece is a Status and not half a response', async () => {
    const { client } = await exchanging(({ response }) =>
      response.sendPieces(200, {
        contentType: 'text/plain',
        length: 10,
        pieces: {
          [Symbol.iterator]() {
            throw internalError('damaged')
          },
        },
      }),
    )
    expect((await client.send({})).status).toBe(500)
  })

  it('a response that cannot go on is cut off', async () => {
    const { promise: seen, resolve: see } = Promise.withResolvers<void>()
    const { client, ended } = await exchanging(async ({ transport, response }) => {
      response.head(200, 'text/plain', undefined)
      transport.out.write('half')
      await seen
      throw new Error('broken')
    })
    const reply = await client.send({})
    await once(reply.stream, 'readable')
    see()
    await expect(reply.body()).rejects.toThrow()
    expect(ended[0]?.failure?.message).toMatch('broken')
  })

  it('a refusal reaches a client that is still sending', async () => {
    const { client, ended } = await exchanging(() => {
      throw tooManyRequests('later', 7)
    })
    const headers = { 'content-length': String(1 << 20) }
    const reply = await client.send({ method: 'POST', headers, body: 'the beginning', unfinished: true })
    expect(reply.status).toBe(429)
    expect(JSON.parse((await reply.body()).toString()).message).toBe('later')
    expect(ended).toHaveLength(1)
    reply.destroy()
  })

  it('a body is read to its end', async () => {
    const { client } = await exchanging(async ({ request, response }) => {
      response.send(200, answer(await readBytes(request)))
    })
    const body = Buffer.alloc(1 << 20, 'body ')
    const reply = await client.send({ method: 'PUT', body })
    expect((await reply.body()).equals(body)).toBe(true)
  })

  it('objects are written, read, listed, watched and refused', async () => {
    const { router } = await routed({ auth: { authenticate: () => ADMINISTRATOR } })
    const client = await serve(router.handle)
    const ask = async (method: string, path: string, body?: unknown) => {
      const headers = { 'content-type': 'application/json' }
      const text = body === undefined ? {} : { body: JSON.stringify(body) }
      const reply = await client.send({ method, path, headers, ...text })
      return { status: reply.status, body: JSON.parse((await reply.body()).toString()) }
    }
    const watch = await client.send({ path: `${CONFIG_MAPS}?watch=true` })
    expect(watch.status).toBe(200)
    expect(await ask('POST', CONFIG_MAPS, configMap('a'))).toMatchObject({ status: 201 })
    expect(await ask('POST', CONFIG_MAPS, configMap('a'))).toMatchObject({ status: 409, body: { kind: 'Status' } })
    expect(await ask('GET', `${CONFIG_MAPS}/a`)).toMatchObject({ status: 200, body: { metadata: { name: 'a' } } })
    expect((await ask('GET', CONFIG_MAPS)).body.items).toHaveLength(1)
    expect(await ask('GET', `${CONFIG_MAPS}/b`)).toMatchObject({ status: 404 })
    expect(await ask('DELETE', `${CONFIG_MAPS}/a`)).toMatchObject({ status: 200 })
    let text = ''
    for await (const chunk of watch.stream) {
      text += chunk
      if (text.includes('DELETED')) break
    }
    const events = text.trim().split('\n')
    expect(events.map((line) => JSON.parse(line).type)).toEqual(['ADDED', 'DELETED'])
    watch.destroy()
  })
})
