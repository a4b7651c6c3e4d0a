// The client of webhooks against real HTTPS servers: whom it trusts, where it connects, what it puts up with.

import { ManualClock } from '@homeostat/base'
import { makeAuthority } from '@homeostat/pki'
import { expect, it, onTestFinished } from 'vitest'
import { makeEgress } from '../src/webhook/egress.ts'
import { WebhookClient, type WebhookClientOptions } from '../src/webhook/webhook-client.ts'
import type { WebhookTarget } from '../src/webhook/webhook-target.ts'
import { HOOK_AUTHORITY, type TestWebhook, webhookServer } from './webhook-server.ts'

const LIMITS = { timeoutMs: 600_000, maxBytes: 1000 }

function client(options: Partial<WebhookClientOptions> = {}): WebhookClient {
  const made = new WebhookClient({ egress: makeEgress(), ...options })
  onTestFinished(() => made.close())
  return made
}

function target({ port }: Pick<TestWebhook, 'port'>, more: Partial<WebhookTarget> = {}): WebhookTarget {
  return {
    url: `https://127.0.0.1:${port}/hook`,
    host: '127.0.0.1',
    port,
    path: '/hook',
    authority: `127.0.0.1:${port}`,
    serverName: '',
    ca: HOOK_AUTHORITY.certificate,
    ...more,
  }
}

const call = (one: WebhookClient, to: WebhookTarget, body: object = { request: {} }) =>
  one.call(to, JSON.stringify(body), LIMITS)

it('keeps its connection, and makes a new one when the webhook has closed it', async () => {
  const hook = await webhookServer(() => ({ ok: true }))
  const one = client()
  for (let i = 0; i < 5; i++) expect(await call(one, target(hook))).toBe('{"ok":true}')
  expect(hook.connections).toBe(1)
})

it('asks again on a new connection when a kept one breaks', async () => {
  let count = 0
  const hook = await webhookServer((_, response) => {
    if (++count !== 2) return { count }
    response.socket?.destroy()
    return undefined
  })
  const one = client()
  expect(await call(one, target(hook))).toBe('{"count":1}')
  expect(await call(one, target(hook))).toBe('{"count":3}')
})

it.each([
  [
    'an authority that is not given',
    {},
    makeAuthority(Date.now()).certificate,
    'x509: certificate signed by unknown authority',
  ],
  [
    'another name',
    { addresses: [], dnsNames: ['other.test'] },
    undefined,
    'x509: certificate is not valid for this name',
  ],
  ['the past', { notAfter: new Date(Date.now() - 1000) }, undefined, 'x509: certificate has expired'],
])('refuses a certificate of %s', async (_, options, ca, message) => {
  const hook = await webhookServer(() => ({}), options)
  await expect(call(client(), target(hook, ca === undefined ? {} : { ca }))).rejects.toThrow(
    `Post "https://127.0.0.1:${hook.port}/hook": tls: failed to verify certificate: ${message}`,
  )
  expect(hook.calls).toEqual([])
})

it('checks the name of a service, wherever it connects to', async () => {
  const hook = await webhookServer(() => ({}), { dnsNames: ['hooks.ns.svc'], addresses: [] })
  const named = { serverName: 'hooks.ns.svc', authority: 'hooks.ns.svc:443' }
  expect(await call(client(), target(hook, named))).toBe('{}')
  expect(hook.calls[0]?.headers.host).toBe('hooks.ns.svc:443')
  await expect(call(client(), target(hook, { ...named, serverName: 'others.ns.svc' }))).rejects.toThrow('x509')
})

it('does not follow a redirect', async () => {
  const elsewhere = await webhookServer(() => ({}))
  const hook = await webhookServer((_, response) => void response.writeHead(302, { location: elsewhere.url }).end())
  await expect(call(client(), target(hook))).rejects.toThrow('answered with a redirect (302), which is not followed')
  expect(elsewhere.calls).toEqual([])
})

it.each([
  [500, 'it broke', 'an error on the server ("it broke") has prevented the request from succeeding'],
  [503, '', 'an error on the server ("status code 503") has prevented'],
  [404, 'page', 'the server could not find the requested resource'],
  [418, 'teapot', 'the server rejected our request (418): teapot'],
  [500, 'x'.repeat(1_000_000), 'has prevented the request from succeeding'],
])('says that the webhook answered %i', async (status, text, message) => {
  const hook = await webhookServer((_, response) => void response.writeHead(status).end(text))
  await expect(call(client(), target(hook))).rejects.toThrow(message)
})

it('reads no more of an answer than its limit', async () => {
  const hook = await webhookServer((_, response) => {
    const more = () => void (response.write('x'.repeat(400)) && setImmediate(more))
    response.on('close', () => response.end())
    more()
  })
  await expect(call(client(), target(hook))).rejects.toThrow('the answer has more than 1000 bytes')
})

it('gives up after its time, whether the webhook hangs before or in its answer', async () => {
  for (const begin of [false, true]) {
    const clock = new ManualClock()
    const hook = await webhookServer((_, response) => {
      if (begin) response.write('{')
      return undefined
    })
    const asked = call(client({ clock }), target(hook))
    await hook.called(1)
    clock.advance(LIMITS.timeoutMs)
    await expect(asked).rejects.toThrow(`Post "https://127.0.0.1:${hook.port}/hook": context deadline exceeded`)
    expect(clock.timers).toBe(0)
  }
})

it('says that nobody listens, and that a connection was closed', async () => {
  const hook = await webhookServer((_, response) => void response.socket?.destroy())
  await expect(call(client(), target(hook))).rejects.toThrow('EOF')
  await hook.close()
  await expect(call(client(), target(hook))).rejects.toThrow(
    `dial tcp 127.0.0.1:${hook.port}: connect: connection refused`,
  )
})

it('ends its calls when it is closed', async () => {
  const hook = await webhookServer(() => undefined)
  const one = client()
  const asked = call(one, target(hook))
  await hook.called(1)
  one.close()
  await expect(asked).rejects.toThrow('the server ends')
})

type Found = { address: string; family: number }[]

/** Names that resolve to other addresses at each look. */
function resolving(...answers: Found[]) {
  let looks = 0
  const lookup = ((_: string, __: object, callback: (error: null, found: Found) => void) => {
    callback(null, answers[Math.min(looks++, answers.length - 1)] as Found)
  }) as unknown as NonNullable<WebhookClientOptions['lookup']>
  return { lookup, looks: () => looks }
}
const HERE = { address: '127.0.0.1', family: 4 }
const METADATA = { address: '169.254.169.254', family: 4 }

it('connects to the address that it checked: a name is resolved once', async () => {
  const hook = await webhookServer(() => ({}))
  const { lookup, looks } = resolving([HERE], [METADATA])
  expect(await call(client({ lookup }), target(hook, { host: 'localhost', serverName: 'localhost' }))).toBe('{}')
  expect(looks()).toBe(1)
})

it('passes over the refused addresses of a name', async () => {
  const hook = await webhookServer(() => ({}))
  const named = target(hook, { host: 'localhost', serverName: 'localhost' })
  expect(await call(client({ lookup: resolving([METADATA, HERE]).lookup }), named)).toBe('{}')
  await expect(call(client({ lookup: resolving([METADATA]).lookup }), named)).rejects.toThrow(
    '169.254.169.254 is a link-local',
  )
  await expect(call(client({ lookup: resolving([]).lookup }), named)).rejects.toThrow('lookup localhost: no such host')
})

it.each([
  '169.254.169.254',
  'fe80::1',
  '::ffff:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  'fd00:ec2::254',
  '0.0.0.0',
  '::',
  '::a9fe:a9fe',
  '224.0.0.1',
])('refuses the address %s before it connects, unless it is allowed', async (host) => {
  await expect(call(client(), target({ port: 1 }, { host }))).rejects.toThrow('--webhook-allow-address')
  expect(makeEgress([host]).problemOf(host)).toBeUndefined()
  expect(makeEgress([host]).problemOf('169.254.1.1')).toBeDefined()
})

it.each(['127.0.0.1', '::1', '10.1.2.3', '192.168.0.1', '8.8.8.8', '2001:db8::1', 'fd12::1'])('permits %s', (host) => {
  expect(makeEgress().problemOf(host)).toBeUndefined()
})

it('refuses to start with an allowed address that is none', () => {
  for (const wrong of ['x', '10.0.0.0/33', '1.2.3.4/', 'fe80::/129', '1.2.3.4/8/8', ''])
    expect(() => makeEgress([wrong])).toThrow('is neither an IP address nor a network')
})

it('serves a host in this process, within the same limits', async () => {
  const clock = new ManualClock()
  const one = client({ clock, lookup: resolving([]).lookup })
  const stop = one.serveHere('here.internal', async (path, body) => `${path} ${body}`)
  const to = target({ port: 443 }, { host: 'here.internal' })
  expect(await call(one, to, { a: 1 })).toBe('/hook {"a":1}')
  one.serveHere('big.internal', async () => 'x'.repeat(2000))
  await expect(call(one, { ...to, host: 'big.internal' })).rejects.toThrow('more than 1000 bytes')
  one.serveHere('slow.internal', () => new Promise(() => {}))
  const slow = call(one, { ...to, host: 'slow.internal' })
  clock.advance(LIMITS.timeoutMs)
  await expect(slow).rejects.toThrow('context deadline exceeded')
  stop()
  await expect(call(one, to)).rejects.toThrow('no such host')
})
