// Several servers on one store have the same keys: a new one gets them for a token that is used once, and one with others is refused.

import { once } from 'node:events'
import { request } from 'node:https'
import { MemoryStore } from '@homeostat/store'
import { expect, onTestFinished, test } from 'vitest'
import { TokenKeys } from '../src/authn/token.ts'
import { startApiServer } from '../src/index.ts'
import { makeJoinToken, makeNextAuthority, makePki, type Pki, readPki } from '../src/keys.ts'
import { AUTHORITY, identity } from './secure.ts'

const FILES = { 'ca.crt': 'the authority', 'ca.key': 'its key' }

function sharedStore() {
  const store = new MemoryStore({ shared: true })
  onTestFinished(() => store.close())
  return store
}

async function start(store: MemoryStore, pki: Pki) {
  const secure = { host: '127.0.0.1', port: 0, identity: identity() }
  const server = await startApiServer({
    store,
    host: '127.0.0.1',
    port: undefined,
    secure,
    pki,
    joinFiles: () => FILES,
    rolesLater: true,
  })
  onTestFinished(() => server.close())
  const port = server.secure?.address.port as number
  const join = (body: unknown) => send(port, 'POST', JSON.stringify(body))
  return { server, port, join }
}

async function send(port: number, method: string, body?: string) {
  const ca = AUTHORITY.certificate
  const sent = request({ host: '127.0.0.1', port, ca, method, path: '/homeostat/join', agent: false }).end(body)
  const [response] = await once(sent, 'response')
  const text = (await response.setEncoding('utf8').toArray()).join('')
  return { status: response.statusCode as number, body: text.startsWith('{') ? JSON.parse(text) : text }
}

const uidOf = async (store: MemoryStore) =>
  JSON.parse(Buffer.from((await store.get('core/namespaces/kube-system'))?.value?.bytes ?? []).toString()).metadata.uid

const keys = async () => readPki(await makePki())
const token = (pki: Pki, expires = Date.now() + 60_000) => makeJoinToken(() => pki.tokenKeys, expires)

test('a token gets the keys once, from whichever server', async () => {
  const store = sharedStore()
  const pki = await keys()
  const first = await start(store, pki)
  const second = await start(store, pki)
  const code = token(pki)
  const answers = await Promise.all([first.join({ token: code }), second.join({ token: code })])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 401])
  expect(answers.find(({ status }) => status === 201)?.body).toEqual({ files: FILES, store: await uidOf(store) })
  expect(await second.join({ token: code })).toMatchObject({ status: 401 })
})

test('nobody gets the keys without such a token, or by another method', async () => {
  const pki = await keys()
  const { port, join } = await start(sharedStore(), pki)
  const account = new TokenKeys(() => pki.tokenKeys).sign({
    sub: 'system:serviceaccount:default:robot',
    aud: ['system:homeostat:new-server'],
    jti: 'x',
    exp: Date.now() / 1000 + 60,
  })
  for (const wrong of [account, token(await keys()), token(pki, Date.now() - 1), '', 'a.b.c'])
    expect(await join({ token: wrong })).toMatchObject({ status: 401 })
  for (const wrong of [{}, [], { token: 7 }]) expect(await join(wrong)).toMatchObject({ status: 400 })
  expect(await join({ token: 'x'.repeat(9000) })).toMatchObject({ status: 413 })
  expect(await send(port, 'GET')).toMatchObject({ status: 404 })
})

test('a server with other keys does not start on the store, and leaves it as it was', async () => {
  const store = sharedStore()
  const pki = await keys()
  await start(store, pki)
  const places = ['homeostat-keys', 'kube-root-ca.crt'].map((name) => `core/configmaps/kube-system/${name}`)
  const revisions = async () => Promise.all(places.map(async (key) => (await store.get(key))?.revision))
  const before = await revisions()
  expect(before).not.toContain(undefined)
  const other = await keys()
  for (const wrong of [other, { ...other, tokenKeys: pki.tokenKeys }, { ...pki, tokenKeys: other.tokenKeys }]) {
    const refused = await start(store, wrong).catch((error: unknown) => error)
    expect(refused).toMatchObject({ name: 'StartRefusal', message: expect.stringContaining('homeostat keys import') })
  }
  expect(await revisions()).toEqual(before)
})

test('during a rotation the old and the new authority go, after it the new one alone', async () => {
  const store = sharedStore()
  const files = await makePki(Date.now() - 10_000_000)
  const next = makeNextAuthority(Date.now())
  const between = readPki({ ...files, ...next })
  const after = readPki({ ...files, 'ca.crt': next['ca-next.crt'], 'ca.key': next['ca-next.key'] })
  const { server } = await start(store, readPki(files))
  await start(store, between)
  await start(store, readPki(files))
  await start(store, after)
  await expect(start(store, readPki(files))).rejects.toThrow('another authority')
  await start(store, between)
  expect(server.secure).toBeDefined()
})
