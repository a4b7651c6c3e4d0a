import { delimiter, join } from 'node:path'
import { inspect } from 'node:util'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, test } from 'vitest'
import { readConnection } from '../default-client.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** A kubeconfig with one context `c`. */
function config(cluster: object, user: object = {}, context: object = {}): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'c',
    clusters: [{ name: 'k', cluster: { server: 'https://server:6443', ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u', ...context } }],
  })
}

/** The connection of a kubeconfig beside other files. */
function connect(text: string, files: Record<string, string> = {}) {
  return readConnection({ path: join(temporaryFolder({ config: text, ...files }), 'config') })
}

async function authorization(user: object, files: Record<string, string> = {}) {
  const { transport } = await connect(config({}, user), files)
  return (await transport.credentials?.get())?.headers?.authorization
}

test('a context says where the server is, whom to trust, and which namespace is meant', async () => {
  const cluster = { 'certificate-authority-data': base64('CA'), 'tls-server-name': 'name' }
  const user = { 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') }
  expect(await connect(config(cluster, user, { namespace: 'ns' }))).toEqual({
    context: 'c',
    namespace: 'ns',
    transport: { url: 'https://server:6443', ca: 'CA', cert: 'CERT', key: 'KEY', servername: 'name' },
  })
})

test('files are looked for beside the kubeconfig, and data goes before files', async () => {
  const cluster = { 'certificate-authority': 'pki/ca.crt', 'insecure-skip-tls-verify': true }
  const user = { 'client-certificate': './a.crt', 'client-key': 'a.key', 'client-key-data': base64('DATA') }
  const { transport } = await connect(config(cluster, user), { 'pki/ca.crt': 'CA', 'a.crt': 'CERT', 'a.key': 'KEY' })
  expect(transport).toMatchObject({ ca: 'CA', cert: 'CERT', key: 'DATA', insecureSkipTlsVerify: true })
})

test('tokens, token files and passwords become headers', async () => {
  expect(await authorization({ token: 't' })).toBe('Bearer t')
  expect(await authorization({ tokenFile: 'token' }, { token: 'from-file\n' })).toBe('Bearer from-file')
  expect(await authorization({ tokenFile: 'token', token: 't' }, { token: 'from-file' })).toBe('Bearer from-file')
  expect(await authorization({ tokenFile: 'missing', token: 't' })).toBe('Bearer t')
  expect(await authorization({ username: 'u', password: 'p' })).toBe(`Basic ${base64('u:p')}`)
  expect(await authorization({})).toBeUndefined()
})

test('somebody else may be asked for', async () => {
  const user = { token: 't', as: 'jane', 'as-uid': '7', 'as-groups': ['a', 'b'] }
  const { transport } = await connect(config({}, user))
  expect((await transport.credentials?.get())?.headers).toEqual({
    authorization: 'Bearer t',
    'impersonate-user': 'jane',
    'impersonate-uid': '7',
    'impersonate-group': ['a', 'b'],
  })
})

test('of several files the first that names a thing counts, and those that are missing do not', async () => {
  const second = JSON.stringify({
    'current-context': 'other',
    clusters: [
      { name: 'k', cluster: { server: 'https://second' } },
      { name: 'k2', cluster: { server: 'https://only-second', 'certificate-authority': 'ca' } },
    ],
    contexts: [{ name: 'c2', context: { cluster: 'k2', user: 'u' } }],
  })
  const folder = temporaryFolder({ a: config({}, { token: 't' }), 'b/config': second, 'b/ca': 'CA', empty: '' })
  const path = ['missing', 'empty', 'a', 'b/config'].map((name) => join(folder, name)).join(delimiter)
  expect((await readConnection({ path: `${delimiter}${path}` })).transport.url).toBe('https://server:6443')
  const other = await readConnection({ path, context: 'c2' })
  expect(other.transport).toMatchObject({ url: 'https://only-second', ca: 'CA' })
  expect((await other.transport.credentials?.get())?.headers).toEqual({ authorization: 'Bearer t' })
})

test('YAML is read', async () => {
  const text = `
current-context: a
clusters:
- {name: k, cluster: {server: "http://localhost:1"}}
contexts:
- name: a
  context: {cluster: k, user: ""}
`
  expect(await connect(text)).toEqual({
    context: 'a',
    namespace: undefined,
    transport: { url: 'http://localhost:1' },
  })
})

test.each([
  ['a proxy', config({ 'proxy-url': 'http://p' }), 'has a proxy-url, which this client does not support'],
  ['no server', config({ server: '' }), 'the cluster "k" of the kubeconfig has no server'],
  ['a context that is not there', config({}).replace('"c"', '"d"'), 'has no context "d"; it has "c"'],
  ['a user that is not there', config({}, {}, { user: 'x' }), 'has no user "x"; it has "u"'],
  ['a cluster that is not there', config({}, {}, { cluster: 'x' }), 'has no cluster "x"; it has "k"'],
  ['a key without certificate', config({}, { 'client-key-data': 'eA==' }), 'both are needed'],
  ['an old provider', config({}, { 'auth-provider': { name: 'gcp' } }), 'auth-provider "gcp"'],
  ['a file that is not there', config({ 'certificate-authority': 'ca' }), 'which the kubeconfig names'],
  ['nothing', '', 'has no current-context'],
  ['a list', '[]', 'it is not a kubeconfig'],
  ['broken YAML', 'a: [', 'could not be read as a kubeconfig'],
  ['a plugin of an unknown version', config({}, { exec: { apiVersion: 'x/v9', command: 'y' } }), 'x/v9 is not one of'],
])('%s is an error that says so', async (_, text, message) => {
  await expect(connect(text)).rejects.toThrow(message)
})

test('no file at all is an error that names where it was looked for', async () => {
  await expect(readConnection({ path: '/nowhere/config' })).rejects.toThrow('there is no kubeconfig at /nowhere/config')
})

test('an error about a kubeconfig does not repeat the token in it', async () => {
  const text = 'users:\n- name: u\n  user: {token: "t0ken-Kq7"} t0ken-Kq7\n'
  const error = await connect(text).catch((error: unknown) => error)
  expect(error).toMatchObject({ message: expect.stringContaining('at line 3, column') })
  expect(inspect(error)).not.toContain('t0ken-Kq7')
})
