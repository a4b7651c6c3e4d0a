import { once } from 'node:events'
import { Agent, type IncomingMessage, type RequestOptions, request as send } from 'node:http'
import { ManualClock } from '@homeostat/base'
import { notFound } from '@homeostat/meta'
import { MemoryStore } from '@homeostat/store'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type ApiExtension, type ApiServer, type ApiServerOptions, startApiServer, type User } from '../src/index.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

async function start(options: Partial<ApiServerOptions> = {}): Promise<ApiServer> {
  const store = new MemoryStore()
  const server = await startApiServer({ store, host: '127.0.0.1', port: undefined, ...options })
  opened.push(store, server)
  return server
}

/** An HTTP client on an in-process connection, kept alive between requests. */
function speaker(server: ApiServer, user?: User) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  Object.assign(agent, { createConnection: () => server.connect(user) })
  return async (method: string, path: string, body?: unknown, options: RequestOptions = {}) => {
    const sent = send({ agent, method, path, host: 'localhost', ...options })
    if (body !== undefined) sent.setHeader('content-type', 'application/json')
    sent.end(body === undefined ? undefined : JSON.stringify(body))
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    const chunks = await answer.toArray()
    const text = Buffer.concat(chunks).toString()
    return { status: answer.statusCode, text, json: () => JSON.parse(text) }
  }
}

const config = (name: string, data: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data,
})
const MAPS = '/api/v1/namespaces/default/configmaps'
const REVIEW = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }

describe('a connection from inside the process', () => {
  it('is served like any other, without the server listening anywhere', async () => {
    const server = await start()
    expect(server.address.port).toBe(0)
    const ask = speaker(server)
    expect((await ask('POST', MAPS, config('a', { text: 'x'.repeat(200_000) }))).status).toBe(201)
    expect((await ask('GET', `${MAPS}/a`)).json().data.text).toHaveLength(200_000)
  })

  it('speaks for whoever opened it', async () => {
    const server = await start()
    const user = { username: 'system:serviceaccount:homeostat-system:robot', groups: ['system:masters'] }
    const whoIs = async (ask: ReturnType<typeof speaker>) =>
      (await ask('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', REVIEW)).json().status.userInfo.username
    expect(await whoIs(speaker(server))).toBe('system:admin')
    expect(await whoIs(speaker(server, user))).toBe(user.username)
    const nobody = speaker(server, { username: 'eve', groups: [] })
    expect((await nobody('GET', MAPS)).status).toBe(403)
  })

  it('ends its watch when the client leaves', async () => {
    const server = await start()
    const connection = server.connect()
    const agent = new Agent()
    Object.assign(agent, { createConnection: () => connection })
    const watching = send({ agent, path: `${MAPS}?watch=1`, host: 'localhost' })
    watching.end()
    const [answer] = (await once(watching, 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(200)
    const metrics = async () => (await speaker(server)('GET', '/metrics')).text
    const open = /apiserver_longrunning_requests\{[^}]*configmaps[^}]*\} (\d+)/
    expect(open.exec(await metrics())?.[1]).toBe('1')
    answer.destroy()
    await expect.poll(async () => open.exec(await metrics())?.[1]).toBe('0')
  })

  it('is cut off when the server ends, and refused after that', async () => {
    const server = await start()
    const connection = server.connect()
    const closed = once(connection, 'close')
    await server.close()
    connection.resume()
    await closed
    await expect(once(server.connect(), 'data')).rejects.toThrow('the server has ended')
    await expect(speaker(server)('GET', MAPS)).rejects.toThrow('the server has ended')
  })
})

describe('the clock of a server', () => {
  it('is the one it is given', async () => {
    const clock = new ManualClock(Date.parse('2031-05-06T07:08:09Z'))
    const ask = speaker(await start({ clock }))
    const created = async (name: string) => (await ask('POST', MAPS, config(name))).json().metadata.creationTimestamp
    expect(await created('a')).toBe('2031-05-06T07:08:09Z')
    clock.advance(60_000)
    expect(await created('b')).toBe('2031-05-06T07:09:09Z')
  })
})

describe('an extension of the API', () => {
  const extension = (connect: ApiExtension['connect'], verb: ApiExtension['verb'] = 'get'): ApiExtension => ({
    group: '',
    version: 'v1',
    resource: 'configmaps',
    subresource: 'shout',
    verb,
    connect,
  })
  /** A server with the extensions, and the object that their requests name. */
  const startWith = async (...extensions: ApiExtension[]) => {
    const server = await start({ extensions })
    await speaker(server)('POST', MAPS, config('a'))
    return server
  }

  it('is not asked about an object that is not there', async () => {
    const asked = vi.fn(async () => ({ body: 'hey' }))
    const ask = speaker(await startWith(extension(asked)))
    expect((await ask('GET', `${MAPS}/b/shout`)).status).toBe(404)
    expect(asked).not.toHaveBeenCalled()
  })

  it('answers its subresource and is found by discovery', async () => {
    const shout = extension(async ({ namespace, name, query }, user) => ({
      body: `${namespace}/${name} ${query.get('word')} ${user.username}`,
    }))
    const ask = speaker(await startWith(shout))
    expect((await ask('GET', `${MAPS}/a/shout?word=hey`)).text).toBe('default/a hey system:admin')
    const names = (await ask('GET', '/api/v1')).json().resources.map((row: { name: string }) => row.name)
    expect(names).toContain('configmaps/shout')
    expect((await ask('POST', `${MAPS}/a/shout`, {})).status).toBe(405)
  })

  it('is asked only for those who may', async () => {
    const server = await startWith(extension(async () => ({ body: 'secret' })))
    const nobody = speaker(server, { username: 'eve', groups: [] })
    expect((await nobody('GET', `${MAPS}/a/shout`)).status).toBe(403)
  })

  it('gets the body, and answers objects and Status errors', async () => {
    const echo = extension(async ({ json }) => ({ status: 201, body: { heard: await json() } }), 'create')
    const refusing = extension(async ({ name }) => {
      throw notFound({ group: '', resource: 'shouts' }, name)
    })
    const ask = speaker(await startWith(refusing, { ...echo, subresource: 'echo' }))
    const answer = await ask('GET', `${MAPS}/a/shout`)
    expect([answer.status, answer.json().message]).toEqual([404, 'shouts "a" not found'])
    const heard = await ask('POST', `${MAPS}/a/echo`, { word: 'hey' })
    expect([heard.status, heard.json()]).toEqual([201, { heard: { word: 'hey' } }])
  })

  it('streams no further than its caller listens', async () => {
    let left = false
    const endless = extension(async () => ({
      body: (async function* () {
        try {
          for (;;) yield Buffer.alloc(64 << 10, 'x')
        } finally {
          left = true
        }
      })(),
    }))
    const server = await startWith(endless)
    const agent = new Agent()
    Object.assign(agent, { createConnection: () => server.connect() })
    const asked = send({ agent, path: `${MAPS}/a/shout`, host: 'localhost' })
    asked.end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    await once(answer, 'data')
    answer.destroy()
    await expect.poll(() => left).toBe(true)
  })

  it('is notified when the server ends', async () => {
    const { promise: asked, resolve } = Promise.withResolvers<void>()
    const waiting = extension(async (_request, _user, signal) => {
      resolve()
      await once(signal, 'abort')
      return { body: 'ended' }
    })
    const server = await startWith(waiting)
    const answer = speaker(server)('GET', `${MAPS}/a/shout`)
    await asked
    await server.close()
    expect((await answer).text).toBe('ended')
  })
})

describe('the first object of a resource', () => {
  const maps = [
    { group: 'apps', resource: 'deployments' },
    { group: '', resource: 'podtemplates' },
  ]
  const template = {
    apiVersion: 'v1',
    kind: 'PodTemplate',
    metadata: { name: 'a', namespace: 'default' },
    template: { spec: { containers: [{ name: 'a', image: 'a' }] } },
  }

  it('is waited for, and found when it is there already', async () => {
    const server = await start()
    let found = 0
    const waiting = server.firstOf(maps, AbortSignal.timeout(120_000)).then(() => found++)
    expect((await speaker(server)('POST', '/api/v1/namespaces/default/configmaps', config('other'))).status).toBe(201)
    expect(found).toBe(0)
    expect((await speaker(server)('POST', '/api/v1/namespaces/default/podtemplates', template)).status).toBe(201)
    await waiting
    await server.firstOf(maps, AbortSignal.timeout(120_000))
    expect(found).toBe(1)
  })

  it('is no longer waited for when the signal ends', async () => {
    const ending = new AbortController()
    const waiting = (await start()).firstOf(maps, ending.signal)
    ending.abort()
    await waiting
  })
})
