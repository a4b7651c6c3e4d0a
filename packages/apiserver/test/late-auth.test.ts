// An asynchronous authenticator or authorizer, such as one that calls a webhook, delays only its own requests.

import { forbidden } from '@homeostat/meta'
import { unauthorized } from '@homeostat/meta/server'
import { expect, it } from 'vitest'
import type { Auth } from '../src/authn/auth.ts'
import type { Authorizer } from '../src/authz/authorize.ts'
import { ADMINISTRATOR, type User } from '../src/identity/user.ts'
import { CONFIG_MAPS, configMap } from './definitions.ts'
import { routed } from './routed.ts'
import { type Client, overHttp1 } from './transports.ts'

const jane: User = { username: 'jane', groups: ['system:authenticated'] }
const headers = { 'content-type': 'application/json' }

async function statusOf(client: Client, path: string): Promise<number> {
  const reply = await client.send({ path })
  await reply.body()
  return reply.status
}

/** Authenticates tokens when the test allows it. A request without a token is the administrator's, at once. */
function lateAuth() {
  const { promise: known, resolve: answer } = Promise.withResolvers<void>()
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  const auth: Partial<Auth> = {
    authenticate({ headers: { authorization } }) {
      if (authorization === undefined) return ADMINISTRATOR
      ask()
      return known.then(() => {
        if (authorization !== 'Bearer good') throw unauthorized()
        return ADMINISTRATOR
      })
    },
  }
  return { auth, answer, asked }
}

it('a write waits for its authenticator, and others do not wait for the write', async () => {
  const { auth, answer, asked } = lateAuth()
  const { router } = await routed({ auth })
  const client = await overHttp1(router.handle)
  const write = client.send({
    method: 'POST',
    path: CONFIG_MAPS,
    headers: { ...headers, authorization: 'Bearer good' },
    body: JSON.stringify(configMap('late')),
  })
  const refused = client.send({ path: CONFIG_MAPS, headers: { authorization: 'Bearer bad' } })
  await asked
  expect(await statusOf(client, `${CONFIG_MAPS}/late`)).toBe(404)
  answer()
  expect((await write).status).toBe(201)
  expect((await refused).status).toBe(401)
  expect(await statusOf(client, `${CONFIG_MAPS}/late`)).toBe(200)
})

it('who leaves before the authenticator answers keeps no place among the requests in flight', async () => {
  const { auth, answer, asked } = lateAuth()
  const { router, inFlight } = await routed({ auth })
  const gone = Promise.withResolvers<void>()
  const handled = Promise.withResolvers<void>()
  const client = await overHttp1((transport) => {
    transport.out.once('close', () => gone.resolve())
    router.handle(transport)
    if (transport.message.url === '/version') handled.resolve()
  })
  const socket = new AbortController()
  const leaving = client.send({
    method: 'POST',
    path: CONFIG_MAPS,
    headers: { ...headers, authorization: 'Bearer good', 'content-length': '1000' },
    body: '{',
    unfinished: true,
    signal: socket.signal,
  })
  const left = expect(leaving).rejects.toThrow()
  await asked
  socket.abort()
  await left
  await gone.promise
  answer()
  expect(await statusOf(client, '/version')).toBe(200)
  expect(inFlight.writes.used).toBe(0)
})

const noRules = () => ({ resourceRules: [], nonResourceRules: [] })

it('a request waits for its authorizer, and is refused in its words', async () => {
  const later: Authorizer = {
    rulesOf: noRules,
    authorize: async (_, attributes) => {
      await new Promise((resolve) => setImmediate(resolve))
      return { allowed: attributes.verb === 'get', reason: 'readers only' }
    },
  }
  const { router } = await routed({ auth: { authenticate: () => jane }, authorizer: later })
  const client = await overHttp1(router.handle)
  expect(await statusOf(client, `${CONFIG_MAPS}/none`)).toBe(404)
  const body = JSON.stringify(configMap('x'))
  const refused = await client.send({ method: 'POST', path: CONFIG_MAPS, headers, body })
  expect(refused.status).toBe(403)
  const text =
    'User "jane" cannot create resource "configmaps" in API group "" in the namespace "default": readers only'
  expect(JSON.parse((await refused.body()).toString()).message).toContain(text)
})

it('an authorizer that fails later is answered as any failure', async () => {
  const broken: Authorizer = {
    rulesOf: noRules,
    authorize: () => Promise.reject(forbidden({ resource: '' }, 'no')),
  }
  const { router } = await routed({ auth: { authenticate: async () => jane }, authorizer: broken })
  const client = await overHttp1(router.handle)
  expect(await statusOf(client, CONFIG_MAPS)).toBe(403)
})
