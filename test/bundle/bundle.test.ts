// The command as it is installed: whatever the sources find by its place (threads, programs, tables) is found in the bundle.

import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { call } from '../http-call.ts'
import { olderData } from '../older-data.ts'
import { ready, type ServerProcess } from '../server-process.ts'
import { type BundledCommand, bundledCommand } from './bundled-command.ts'

let command: BundledCommand
beforeAll(async () => {
  command = await bundledCommand()
})
afterAll(() => command[Symbol.dispose]())

async function up(
  directory: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<ServerProcess> {
  const child = command.spawn(['up', '--port', '0', '--data-dir', directory, ...args], env)
  const server = await ready(child, directory)
  onTestFinished(async () => void (await server.stop('SIGKILL')))
  return server
}

const files = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((e) => e.isFile())
const contents = (folder: string) =>
  new Map(files(folder).map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'utf8')]))

test('the same sources give the same bytes, wherever they are built, and name no folder of the machine', async () => {
  using again = await bundledCommand()
  expect(contents(again.folder)).toEqual(contents(command.folder))
  const root = join(import.meta.dirname, '../..')
  expect([...contents(again.folder)].filter(([, text]) => text.includes(root))).toEqual([])
})

test('it is a package with a command, its maps and the licences of whose code is in it', async () => {
  const manifest = JSON.parse(readFileSync(join(command.folder, 'package.json'), 'utf8'))
  const program = join(command.folder, manifest.bin.homeostat)
  expect(readFileSync(program, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  expect(statSync(program).mode & 0o111).toBe(0o111)
  expect(manifest.dependencies).toBeUndefined()
  const licences = readFileSync(join(command.folder, 'THIRD-PARTY-LICENCES.txt'), 'utf8')
  for (const name of ['yaml', 're2js', 'ws', 'zod']) expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'))
  const { sources, sourcesContent } = JSON.parse(readFileSync(`${program}.map`, 'utf8'))
  expect(sources).toEqual(['packages/cli/src/main.ts'])
  expect(sourcesContent).toHaveLength(1)
  expect((await command.run(['version'])).stdout).toContain(`homeostat ${manifest.version} `)
})

test('a verb that starts no server loads none of its code', () => {
  const lib = join(command.folder, 'lib')
  const text = (file: string) => readFileSync(join(lib, file), 'utf8')
  const imports = (file: string, pattern: RegExp) => [...text(file).matchAll(pattern)].map(([, name = '']) => name)
  const loaded = new Set(['homeostat.js', ...imports('homeostat.js', /import\("\.\/(.+?)"\)/g)])
  for (const file of loaded) for (const name of imports(file, /^(?:im|ex)port .*"\.\/(.+?)";$/gm)) loaded.add(name)
  const servers = readdirSync(lib).filter(
    (file) => /chunk-.*\.js$/.test(file) && text(file).includes('startApiServer('),
  )
  expect(servers.length).toBeGreaterThan(0)
  expect(servers.filter((file) => loaded.has(file))).toEqual([])
  expect(loaded.size).toBeGreaterThan(3)
})

test('compiled code is kept in a folder of the user, which no other can read', async () => {
  const cache = temporaryFolder()
  const server = await up(temporaryFolder(), [], { NODE_COMPILE_CACHE: undefined, XDG_CACHE_HOME: cache })
  await server.stop()
  const folder = join(cache, 'homeostat')
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  const kept = files(join(folder, 'compile-cache'))
  // A file for each file of code. A start reads few of them, and no character beyond ASCII, which would double their memory.
  expect(kept.length).toBeGreaterThan(5)
  expect(kept.length).toBeLessThan(25)
  for (const [name, text] of contents(join(command.folder, 'lib'))) {
    if (name.endsWith('.js')) expect(text, name).toMatch(/^[\0-\x7f]*$/)
  }
})

test('a plain server loads no module of Node that it does without', async () => {
  const directory = temporaryFolder()
  await (await up(directory)).stop()
  const list = join(directory, 'modules')
  const preload = join(directory, 'preload.cjs')
  writeFileSync(
    preload,
    `const { isMainThread } = require('node:worker_threads')
    const names = () => process.moduleLoadList.join('\\n')
    if (isMainThread) process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(list)}, names()))`,
  )
  await (await up(directory, [], { NODE_OPTIONS: `--require=${preload}` })).stop()
  const loaded = new Set(readFileSync(list, 'utf8').split('\n'))
  expect(loaded).toContain('NativeModule _http_server')
  // TLS alone is 2.5 MiB. Webhooks, a secure port and an etcd load it; backups load files by promises, each in its time.
  for (const name of ['tls', 'https', 'http2', 'fs/promises']) expect(loaded).not.toContain(`NativeModule ${name}`)
})

test.each<[string, (cache: string) => void]>([
  ['others may write to', (cache) => mkdirSync(join(cache, 'homeostat')) ?? chmodSync(join(cache, 'homeostat'), 0o770)],
  ['is a link', (cache) => mkdirSync(join(cache, 'other')) ?? symlinkSync('other', join(cache, 'homeostat'))],
  ['is a file', (cache) => writeFileSync(join(cache, 'homeostat'), '')],
  ['others may replace', (cache) => chmodSync(cache, 0o777)],
])('a folder for compiled code that %s is not used, and the server starts', async (_, prepare) => {
  const cache = temporaryFolder()
  prepare(cache)
  const before = readdirSync(cache, { recursive: true })
  const server = await up(temporaryFolder(), [], { NODE_COMPILE_CACHE: undefined, XDG_CACHE_HOME: cache })
  await server.stop()
  expect(readdirSync(cache, { recursive: true })).toEqual(before)
})

test('objects outlive kill -9, and the store is whole', async () => {
  const directory = temporaryFolder()
  const first = await up(directory)
  const maps = '/api/v1/namespaces/default/configmaps'
  const sent = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kept' }, data: { a: 'b' } }
  const created = await call(`${first.url}${maps}`, 'POST', sent)
  expect(created.code).toBe(201)
  await first.stop('SIGKILL')
  const second = await up(directory)
  expect((await call(`${second.url}${maps}/kept`)).body).toEqual(created.body)
  expect(await second.stop()).toEqual({ code: 0, signal: null })
  expect((await command.run(['check', '--data-dir', directory])).stdout).toContain('all are sound')
})

test('data that version 0.1 wrote is opened, as a configuration file says', async () => {
  const directory = olderData('killed')
  const config = join(
    temporaryFolder({ 'homeostat.yaml': `data-dir: ${directory}\nruntime: none\n` }),
    'homeostat.yaml',
  )
  const server = await ready(command.spawn(['up', '--port', '0', '--config', config]), directory)
  const lamp = await call(`${server.url}/apis/example.org/v1/namespaces/team/lamps/desk`)
  expect(lamp.text).toContain('"serial":9007199254740993')
  expect(await server.stop()).toEqual({ code: 0, signal: null })
})

test('YAML, protobuf, OpenAPI and WebSockets are there when they are asked for', async () => {
  const { url } = await up(temporaryFolder())
  const maps = `${url}/api/v1/namespaces/default/configmaps`
  const yaml = (name: string, text: string) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {text: ${text}}\n`
  const post = (type: string, body: string | Uint8Array<ArrayBuffer>) =>
    fetch(maps, { method: 'POST', headers: { 'content-type': type }, body })
  expect((await post('application/yaml', yaml('small', 'x'))).status).toBe(201)
  // Large documents are read in a thread.
  expect((await post('application/yaml', yaml('large', 'x'.repeat(100_000)))).status).toBe(201)

  const PROTOBUF = 'application/vnd.kubernetes.protobuf'
  const read = await fetch(`${maps}/small`, { headers: { accept: PROTOBUF } })
  expect(read.headers.get('content-type')).toBe(PROTOBUF)
  const copied = Buffer.from(await read.arrayBuffer())
  expect(copied.subarray(0, 4).toString()).toBe('k8s\0')
  const written = await fetch(`${maps}/small`, { method: 'PUT', headers: { 'content-type': PROTOBUF }, body: copied })
  expect(await written.json()).toMatchObject({ metadata: { name: 'small' }, data: { text: 'x' } })

  const openapi = await call(`${url}/openapi/v3/api/v1`)
  expect(openapi.text).toContain('io.k8s.api.core.v1.ConfigMap')
  expect((await call(`${url}/openapi/v2`)).text).toContain('io.k8s.api.core.v1.ConfigMap')

  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/namespaces?watch=true`)
  const [message] = await once(socket, 'message')
  expect(JSON.parse(String((message as MessageEvent).data))).toMatchObject({ type: 'ADDED' })
  socket.close()
})

test('processes are kept by a program of their own while the server is gone', async () => {
  const directory = temporaryFolder()
  const pods = '/api/v1/namespaces/default/pods'
  const runtime = ['--runtime', 'process']
  const first = await up(directory, runtime)
  const container = { name: 'main', image: 'none', command: ['sh', '-c', 'echo hello; exec sleep 600'] }
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'kept' }, spec: { containers: [container] } }
  expect((await call(`${first.url}${pods}`, 'POST', pod)).code).toBe(201)
  const containerOf = async ({ url }: ServerProcess) => {
    const { status } = JSON.parse((await call(`${url}${pods}/kept`)).text)
    return status?.containerStatuses?.[0]
  }
  const running = { ready: true, restartCount: 0, state: { running: {} } }
  await expect.poll(() => containerOf(first)).toMatchObject(running)
  await expect.poll(async () => (await call(`${first.url}${pods}/kept/log`)).text).toBe('hello\n')
  await first.stop('SIGKILL')
  const second = await up(directory, runtime)
  await expect.poll(async () => (await call(`${second.url}${pods}/kept/log`)).text).toBe('hello\n')
  expect(await containerOf(second)).toMatchObject(running)
  await call(`${second.url}${pods}/kept?gracePeriodSeconds=0`, 'DELETE')
  await expect.poll(() => readdirSync(join(directory, 'runtimes/process'))).toEqual([])
})

test('the demonstration runs executors as the same command, and ends them', async () => {
  const { stdout } = await command.run(['demo'])
  expect(stdout).toContain('nothing is left behind')
})
