// No error about a Secret or a token quotes a value, sent or stored, in the response or in the log.

import { jsonLog } from '@homeostat/base'
import { MemoryStore } from '@homeostat/store'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ApiServer, startApiServer } from '../src/index.ts'

const SECRETS = '/api/v1/namespaces/default/secrets'
const REVIEWS = '/apis/authentication.k8s.io/v1/tokenreviews'
/** The secret in each form that a value can have. */
const STORED = 'stored-Kq7Zx2'
const SENT = 'sent-Wm4Tp9'
const NUMBER = 80915577
const FORMS = [STORED, SENT, btoa(STORED), btoa(SENT), String(NUMBER), Buffer.from(SENT).toString('hex')]

const log: string[] = []
const store = new MemoryStore()
let server: ApiServer
let url: string

beforeAll(async () => {
  const logger = jsonLog({ level: 'trace', write: (line) => void log.push(line) })
  server = await startApiServer({ store, host: '127.0.0.1', port: 0, logger, rolesLater: true })
  url = `http://127.0.0.1:${server.address.port}`
  await send('POST', SECRETS, secret({ name: 'a' }, { data: { old: btoa(STORED) }, immutable: false }))
  await send('POST', SECRETS, secret({ name: 'frozen' }, { data: { old: btoa(STORED) }, immutable: true }))
})
afterAll(async () => {
  await server.close()
  await store.close()
})

function secret(metadata: object, fields: object): object {
  return { apiVersion: 'v1', kind: 'Secret', metadata, ...fields }
}

async function send(method: string, path: string, body: unknown, type = 'application/json') {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': type },
    body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
  })
  return { status: answer.status, text: await answer.text(), headers: JSON.stringify([...answer.headers]) }
}

const YAML = 'application/yaml'
const MERGE = 'application/merge-patch+json'
const STRATEGIC = 'application/strategic-merge-patch+json'
const JSON_PATCH = 'application/json-patch+json'
const APPLY = 'application/apply-patch+yaml'
const PROTOBUF = 'application/vnd.kubernetes.protobuf'
const APPLIED = `${SECRETS}/a?fieldManager=me`

const make = (fields: object, metadata: object = { name: 'b' }) => ['POST', SECRETS, secret(metadata, fields)] as const
const change = (type: string, body: unknown, name = 'a') => ['PATCH', `${SECRETS}/${name}`, body, type] as const
const apply = (fields: object) => ['PATCH', APPLIED, secret({ name: 'a' }, fields), APPLY] as const

const refusals: [string, readonly [string, string, unknown, string?]][] = [
  ['bad base64', make({ data: { p: `${SENT}!` } })],
  ['base64 without its end', make({ data: { p: btoa(SENT).replace(/=+$/, '') } })],
  ['a number for bytes', make({ data: { p: NUMBER } })],
  ['a list for bytes', make({ data: { p: [SENT] } })],
  ['an object for text', make({ stringData: { p: { q: SENT } } })],
  ['a number for text', make({ stringData: { p: NUMBER } })],
  ['text for all data', make({ data: SENT })],
  ['a list for all data', make({ stringData: [SENT, NUMBER] })],
  ['a bad key', make({ data: { 'p q': btoa(SENT) } })],
  [
    'a type with a content of its own',
    make({ type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': SENT } }),
  ],
  ['a type that wants other keys', make({ type: 'kubernetes.io/tls', stringData: { p: SENT } })],
  [
    'bad metadata',
    make({ stringData: { p: SENT } }, { name: 'b', labels: { 'a b': 'c' }, annotations: { 'x y': '' } }),
  ],
  ['a bad name', make({ stringData: { p: SENT } }, { name: 'B_' })],
  ['an unknown field', ['POST', `${SECRETS}?fieldValidation=Strict`, secret({ name: 'b' }, { datas: { p: SENT } })]],
  [
    'a kind of another name',
    ['POST', SECRETS, { ...secret({ name: 'b' }, { stringData: { p: SENT } }), kind: 'Secrets' }],
  ],
  ['JSON that ends early', ['POST', SECRETS, `{"data":{"p":"${SENT}"`]],
  ['JSON that begins with it', ['POST', SECRETS, `{"stringData":"${SENT}",]`]],
  ['no JSON', ['POST', SECRETS, SENT]],
  ['a number out of range', ['POST', SECRETS, `{"stringData":{"p":${NUMBER}e999}}`]],
  ['YAML with a scalar too many', ['POST', SECRETS, `kind: Secret\nstringData: {p: "${SENT}"} ${SENT}\n`, YAML]],
  ['YAML with bad indentation', ['POST', SECRETS, `stringData:\n  p: ${SENT}\n q: [${SENT}\n`, YAML]],
  ['YAML with an alias of it', ['POST', SECRETS, `stringData: {p: *${SENT}}\n`, YAML]],
  ['YAML that is a text', ['POST', SECRETS, SENT, YAML]],
  ['protobuf that is none', ['POST', SECRETS, Buffer.from(`k8s\0${SENT}`), PROTOBUF]],
  ['protobuf cut off', ['POST', SECRETS, Buffer.from(`k8s\0\n\x10\n\x02v1\x12\x06Secret\x12\x40${SENT}`), PROTOBUF]],
  ['a merge patch with bad base64', change(MERGE, { data: { p: `${SENT}!` } })],
  ['a merge patch with a wrong type', change(MERGE, { data: { p: [SENT] } })],
  ['a merge patch that takes the kind', change(MERGE, { kind: null, data: { p: btoa(SENT) }, metadata: 5 })],
  ['a merge patch of another type', change(MERGE, { type: 'x/y', stringData: { p: SENT } })],
  ['a merge patch that is no JSON', change(MERGE, `{"data":{"p":"${SENT}"`)],
  ['a change of what is frozen', change(MERGE, { stringData: { old: SENT } }, 'frozen')],
  ['a strategic patch with bad base64', change(STRATEGIC, { data: { p: `${SENT}!` } })],
  ['a strategic patch with an unknown directive', change(STRATEGIC, { data: { $patch: 'x', p: SENT } })],
  ['a strategic patch with a list', change(STRATEGIC, { data: [{ $patch: 'x', p: SENT }] })],
  ['a strategic patch with a text', change(STRATEGIC, { data: SENT, stringData: [SENT] })],
  ['a strategic patch with wrong retainKeys', change(STRATEGIC, { data: { $retainKeys: [SENT], p: SENT } })],
  ['a strategic patch of owners without key', change(STRATEGIC, { metadata: { ownerReferences: [{ name: SENT }] } })],
  ['a JSON patch whose test fails', change(JSON_PATCH, [{ op: 'test', path: '/data/old', value: btoa(SENT) }])],
  ['a JSON patch with bad base64', change(JSON_PATCH, [{ op: 'add', path: '/data/p', value: `${SENT}!` }])],
  ['a JSON patch with a wrong type', change(JSON_PATCH, [{ op: 'replace', path: '/data', value: [SENT] }])],
  ['a JSON patch into a value', change(JSON_PATCH, [{ op: 'add', path: '/data/old/0', value: SENT }])],
  ['a JSON patch that moves it into the name', change(JSON_PATCH, [{ op: 'move', from: '/data', path: '/metadata' }])],
  ['an apply with a number', apply({ data: { p: NUMBER } })],
  ['an apply with an object', apply({ stringData: { p: { q: SENT } } })],
  ['an apply with a list', apply({ data: [SENT] })],
  ['an apply with bad base64', apply({ data: { p: `${SENT}!` } })],
  ['an apply of an unknown field', apply({ datas: { p: SENT } })],
  ['an apply that conflicts', apply({ data: { old: btoa(SENT) } })],
  ['an apply that is no YAML', ['PATCH', APPLIED, `stringData: {p: "${SENT}"} ${SENT}`, APPLY]],
  ['a PUT with another uid', ['PUT', `${SECRETS}/a`, secret({ name: 'a', uid: 'x' }, { stringData: { p: SENT } })]],
  [
    'a PUT without a version of a frozen one',
    ['PUT', `${SECRETS}/frozen`, secret({ name: 'frozen' }, { stringData: { p: SENT } })],
  ],
  [
    'options of a delete',
    ['DELETE', `${SECRETS}/a`, { kind: 'DeleteOptions', preconditions: { uid: 'x' }, data: SENT }],
  ],
  ['a token of a wrong type', ['POST', REVIEWS, { spec: { token: [SENT] } }]],
  ['a token in broken JSON', ['POST', REVIEWS, `{"spec":{"token":"${SENT}"`]],
  ['a number for a token', ['POST', REVIEWS, { spec: { token: NUMBER } }]],
]

it.each(refusals)('%s', async (_, [method, path, body, type]) => {
  log.length = 0
  const { status, text, headers } = await send(method, path, body, type)
  expect(status, text).toBeGreaterThanOrEqual(400)
  for (const form of FORMS) expect(text + headers + log.join(''), form).not.toContain(form)
})

it('a token that nobody knows is not repeated', async () => {
  log.length = 0
  const { text, headers } = await send('POST', REVIEWS, { spec: { token: `${SENT}.${btoa(SENT)}.x` } })
  const { status } = JSON.parse(text)
  expect(status.authenticated).not.toBe(true)
  for (const form of FORMS) expect(JSON.stringify(status) + headers + log.join('')).not.toContain(form)
})

it('a bearer token that nobody knows is not repeated', async () => {
  log.length = 0
  const answer = await fetch(`${url}${SECRETS}`, { headers: { authorization: `Bearer ${SENT}.${btoa(SENT)}.x` } })
  expect(answer.status).toBe(401)
  for (const form of FORMS) expect((await answer.clone().text()) + log.join('')).not.toContain(form)
})

it('bad base64 is reported by its place, for any kind', async () => {
  const { text } = await send('POST', SECRETS, secret({ name: 'b' }, { data: { p: 'aGk=aGk=' } }))
  expect(text).toContain('data.p: illegal base64 data at input byte 4')
})
