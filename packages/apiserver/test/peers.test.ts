import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { callerHeaders } from '../src/authn/front-proxy.ts'
import type { ApiExtension } from '../src/index.ts'
import { authority, type MemberServer, MemberServers, memberCertificate } from './members.ts'

const DUTY = 'where'
const ADMIN = { username: 'ann', groups: ['system:masters', 'system:authenticated'] }

/** `configmaps/where`: answered by the server that leads, with where it was and what arrived. */
function where(id: string, onEnd: () => void): ApiExtension[] {
  const parts = { group: '', version: 'v1', resource: 'configmaps', subresource: 'where', ledBy: () => DUTY } as const
  const answer: ApiExtension['connect'] = async ({ query, json }, user) => {
    return { status: 201, body: { at: id, user, body: await json(), query: query.toString() } }
  }
  return [
    { ...parts, verb: 'create', connect: answer },
    {
      ...parts,
      verb: 'get',
      async connect(_, __, signal) {
        return { contentType: 'text/plain', body: pieces(id, signal, onEnd) }
      },
    },
  ]
}

async function* pieces(id: string, signal: AbortSignal, onEnd: () => void): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${id} begins\n`)
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
  onEnd()
}

async function servers(...ids: string[]) {
  const members = new MemberServers()
  const started: MemberServer[] = []
  /** Whose streams were told that their reader has left. */
  const ended: string[] = []
  const ending = new AbortController()
  for (const id of ids) {
    const one = await members.start(id, { extensions: where(id, () => ended.push(id)) })
    void one.server.duties.lead(
      DUTY,
      async (held) => {
        await new Promise((resolve) => held.signal.addEventListener('abort', resolve))
      },
      ending.signal,
    )
    started.push(one)
  }
  const leader = () => started.find(({ server }) => server.duties.leader(DUTY) === 'here')
  await members.until(() => leader() !== undefined)
  const api = started[0]?.server.api({ username: 'test', manager: 'test' })
  const metadata = { name: 'a ä', namespace: 'default' }
  await api?.create(
    { group: '', resource: 'configmaps' },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...metadata, name: 'a' } },
  )
  return { members, started, ended, leader: () => leader() as MemberServer }
}

const PATH = '/api/v1/namespaces/default/configmaps/a/where?x=1&x=%2F'
type Certificate = ReturnType<typeof memberCertificate>

function send(
  port: number,
  {
    method = 'POST',
    headers = {},
    as = memberCertificate('x', ['system:masters']),
    body = '{"a":1}',
  }: {
    method?: string
    headers?: Record<string, string | string[]>
    as?: Certificate | undefined
    body?: string
  } = {},
) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>()
  const identity = { cert: as.certificate, key: as.key, ca: authority }
  const sent = request(
    { host: '127.0.0.1', port, path: PATH, method, headers, agent: false, ...identity },
    async (response) => {
      resolve({ status: response.statusCode ?? 0, body: await text(response) })
    },
  )
  sent.once('error', reject).end(method === 'POST' ? body : undefined)
  return promise
}

test('a call reaches the server that leads, whichever it was sent to, with its caller', async () => {
  const { started, leader } = await servers('a', 'b')
  for (const { port } of started) {
    const { status, body } = await send(port)
    expect(status).toBe(201)
    expect(JSON.parse(body)).toMatchObject({
      at: leader().id,
      body: { a: 1 },
      query: 'x=1&x=%2F',
      user: { username: 'system:homeostat:member:x', groups: expect.arrayContaining(['system:masters']) },
    })
  }
})

test('who impersonates somebody is passed on as that one, and is refused here when they may not', async () => {
  const { started, leader } = await servers('a', 'b')
  const other = started.find((one) => one !== leader()) as MemberServer
  const masters = { 'impersonate-user': 'bob', 'impersonate-group': 'system:masters' }
  expect(JSON.parse((await send(other.port, { headers: masters })).body)).toMatchObject({
    at: leader().id,
    user: { username: 'bob', groups: expect.arrayContaining(['system:masters']) },
  })
  expect((await send(other.port, { headers: { 'impersonate-user': 'bob' } })).status).toBe(403)
})

test('only a certificate of a server names a caller', async () => {
  const { started, leader } = await servers('a', 'b')
  const headers = Object.fromEntries(
    Map.groupBy(callerHeaders(ADMIN), ([name]) => name)
      .entries()
      .map(([name, all]) => [name, all.map(([, value]) => value)]),
  )
  const nobody = memberCertificate('mallory', [])
  for (const { port } of started) expect((await send(port, { headers, as: nobody })).status).toBe(403)
  const named = await send(leader().port, { headers, as: memberCertificate('c') })
  expect(JSON.parse(named.body)).toMatchObject({ user: { username: 'ann' } })
})

test('a call that was passed on is not passed on again', async () => {
  const { started, leader } = await servers('a', 'b')
  const other = started.find((one) => one !== leader()) as MemberServer
  const headers = { 'x-remote-user': 'ann', 'x-remote-group': 'system:masters' }
  expect((await send(other.port, { headers, as: memberCertificate('c') })).status).toBe(421)
})

test('what a client says about its caller neither stops its call nor changes who it is', async () => {
  const { started, leader } = await servers('a', 'b')
  const headers = { 'x-remote-user': 'system:admin', 'x-remote-group': 'system:masters', 'x-remote-uid': '0' }
  for (const { port } of started) {
    const { status, body } = await send(port, { headers })
    expect(status).toBe(201)
    expect(JSON.parse(body)).toMatchObject({ at: leader().id, user: { username: 'system:homeostat:member:x' } })
    const refused = await send(port, { headers, as: memberCertificate('mallory', []) })
    expect(JSON.parse(refused.body)).toMatchObject({ kind: 'Status', code: 403, reason: 'Forbidden' })
  }
})

test('a stream flows through, and ends at the leader when its reader leaves', async () => {
  const { started, ended, leader } = await servers('a', 'b')
  const other = started.find((one) => one !== leader()) as MemberServer
  const as = memberCertificate('x', ['system:masters'])
  const { promise: first, resolve } = Promise.withResolvers<string>()
  const sent = request(
    { host: '127.0.0.1', port: other.port, path: PATH, agent: false, cert: as.certificate, key: as.key, ca: authority },
    (response) => {
      response.setEncoding('utf8').once('data', resolve)
      response.on('error', () => {})
    },
  )
  sent.on('error', () => {})
  sent.end()
  expect(await first).toBe(`${leader().id} begins\n`)
  sent.destroy()
  await expect.poll(() => ended).toEqual([leader().id])
})

test('a server that ends hands over, and calls go on', async () => {
  const { members, started, leader } = await servers('a', 'b', 'c')
  const first = leader()
  const others = started.filter((one) => one !== first)
  await first.close()
  await members.until(() => others.includes(leader()), others)
  for (const { port } of others) expect(JSON.parse((await send(port)).body)).toMatchObject({ at: leader().id })
})

test('calls wait for a leader while there is none', async () => {
  const { members, started, leader } = await servers('a', 'b')
  for (const { server } of started) server.drain()
  await members.until(() => leader() === undefined)
  let isAnswered = false
  const calling = send((started[0] as MemberServer).port).then((answer) => {
    isAnswered = true
    return answer
  })
  await members.until(() => isAnswered)
  expect((await calling).status).toBe(503)
})
