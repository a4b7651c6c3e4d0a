// How the server starts and ends, seen from outside the process.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { get, request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, onTestFinished, test } from 'vitest'
import { homeostat } from './command-line.ts'
import { ready, spawnHomeostat, startServer } from './server-process.ts'
import { GROUP, widgetDefinition } from './widgets.ts'

test('it says where it is, writes a kubeconfig, and answers', async () => {
  const directory = temporaryFolder()
  const server = await startServer(directory)
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(server.output().stdout).toContain(`export KUBECONFIG=${server.kubeconfig}`)
  expect(readFileSync(server.kubeconfig, 'utf8')).toContain(`server: "${server.url}"`)
  expect(statSync(server.kubeconfig).mode & 0o777).toBe(0o600)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
})

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s ends it cleanly, watches included', async (signal) => {
  const server = await startServer(temporaryFolder())
  const watch = get(`${server.url}/api/v1/namespaces?watch=1`)
  const [response] = await once(watch, 'response')
  response.resume()
  const watchEnd = once(response, 'end')
  expect(await server.stop(signal)).toEqual({ code: 0, signal: null })
  await watchEnd
  const messages = server
    .output()
    .stderr.trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg)
  expect(messages.at(0)).toBe('ready')
  expect(messages.at(-1)).toBe('ended')
})

test('requests that do not end are cut off after the shutdown time', async () => {
  const server = await startServer(temporaryFolder(), ['--shutdown-timeout', '100ms'])
  await endlessRequest(server.url)
  expect(await server.stop()).toEqual({ code: 0, signal: null })
  expect(server.output().stderr).toContain('what still runs is cut off')
})

test('a second signal ends it at once', async () => {
  const server = await startServer(temporaryFolder(), ['--shutdown-timeout', '1h'])
  await endlessRequest(server.url)
  const impatience = setInterval(() => server.child.kill('SIGINT'), 100)
  onTestFinished(() => clearInterval(impatience))
  expect(await server.stop('SIGINT')).toEqual({ code: 1, signal: null })
})

test('it ends when the process that started it is gone', async () => {
  const directory = temporaryFolder()
  const main = join(import.meta.dirname, '../packages/cli/src/main.ts')
  const starter = `
    const { spawn } = require('node:child_process')
    spawn(process.execPath, ['--conditions=homeostat-source', ${JSON.stringify(main)}, 'up', '--port', '0', '--data-dir', ${JSON.stringify(directory)}],
      { stdio: ['ignore', 'inherit', 'inherit', 'pipe'], env: { ...process.env, HOMEOSTAT_LIFELINE: '3' } })`
  const parent = spawn(process.execPath, ['-e', starter], { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void parent.kill('SIGKILL'))
  await once(parent.stdout, 'data')
  parent.kill('SIGKILL')
  // The pipes are the server's too: they end when it does.
  let log = ''
  parent.stderr.on('data', (chunk) => {
    log += chunk
  })
  await once(parent.stderr, 'end')
  expect(log).toContain('the process that started the server is gone')
  expect(log).toContain('"msg":"ended"')
})

test('it is configured by a file, and prints the same configuration without a start', async () => {
  const folder = temporaryFolder({
    'homeostat.yaml': 'port: 0\ndata-dir: data\nwith: [widgets.mjs]\nruntime: none\nlog-level: warn\n',
    'widgets.mjs': `export default { name: 'widgets', definitions: [${JSON.stringify(widgetDefinition)}] }`,
  })
  const config = join(folder, 'homeostat.yaml')
  const printed = await homeostat('up', '--config', config, '--print-config')
  expect(printed).toMatchObject({ code: 0, stderr: '' })
  expect(readdirSync(folder).sort()).toEqual(['homeostat.yaml', 'widgets.mjs'])

  for (const text of [readFileSync(config, 'utf8'), printed.stdout]) {
    writeFileSync(config, text)
    const server = await ready(spawnHomeostat(['up'], { HOMEOSTAT_CONFIG: config }), join(folder, 'data'))
    expect((await fetch(`${server.url}/apis/${GROUP}/v1/widgets`)).status).toBe(200)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    expect(readFileSync(server.kubeconfig, 'utf8')).toContain(`server: "${server.url}"`)
    expect(await server.stop()).toEqual({ code: 0, signal: null })
    expect(server.output().stderr).toBe('')
  }
})

test('a mistake in the configuration file is one clear line', async () => {
  const folder = temporaryFolder({ 'homeostat.yaml': 'port: 0\ndata_dir: data\n' })
  const { code, stdout, stderr } = await homeostat('up', '--config', join(folder, 'homeostat.yaml'))
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toBe(`homeostat: ${folder}/homeostat.yaml:2: there is no option data_dir; did you mean data-dir?\n`)
})

test('a port in use is one clear line', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const { code, stderr } = await homeostat('up', '--port', String(port), '--data-dir', temporaryFolder())
  expect(code).toBe(1)
  expect(stderr).toBe(
    `homeostat: http://127.0.0.1:${port} is in use; stop what listens there or choose another --port\n`,
  )
})

test('a second server on the same data directory is one clear line', async () => {
  const directory = temporaryFolder()
  const server = await startServer(directory)
  const { code, stderr } = await homeostat('up', '--port', '0', '--data-dir', directory)
  expect(code).toBe(1)
  expect(stderr).toMatch(/^homeostat: .*in use.*\n$/)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
})

test('a data directory that is a file is one clear line', async () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  const { code, stderr } = await homeostat('up', '--port', '0', '--data-dir', file)
  expect(code).toBe(1)
  expect(stderr).toBe(
    `homeostat: the data directory ${file} is not a folder; choose another with --data-dir or HOMEOSTAT_DATA\n`,
  )
})

test('a backup taken while the server runs can be restored into another directory', async () => {
  const [directory, elsewhere] = [temporaryFolder(), temporaryFolder()]
  const file = join(temporaryFolder(), 'backup')
  const server = await startServer(directory)
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kept' } }
  const made = await fetch(`${server.url}/api/v1/namespaces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(namespace),
  })
  expect(made.status).toBe(201)
  const before = await revisionOf(made)
  expect(await homeostat('backup', file, '--data-dir', directory)).toMatchObject({ code: 0, stderr: '' })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const again = await homeostat('backup', file, '--data-dir', directory)
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('never overwrites a file') })
  await server.stop()
  expect(await homeostat('restore', file, '--data-dir', elsewhere)).toMatchObject({ code: 0, stderr: '' })
  const restored = await startServer(elsewhere)
  expect((await fetch(`${restored.url}/api/v1/namespaces/kept`)).status).toBe(200)
  const list = await fetch(`${restored.url}/api/v1/namespaces`)
  expect(await revisionOf(list)).toBeGreaterThanOrEqual(before + 1_000_000_000)
})

/** A request whose body never comes; the server has seen its headers when this resolves. */
async function endlessRequest(url: string): Promise<void> {
  const endless = request(`${url}/api/v1/namespaces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': 10, expect: '100-continue' },
  })
  endless.on('error', () => {})
  onTestFinished(() => void endless.destroy())
  endless.flushHeaders()
  await once(endless, 'continue')
}

async function revisionOf(response: Response): Promise<number> {
  const { metadata } = (await response.json()) as { metadata: { resourceVersion: string } }
  return Number(metadata.resourceVersion)
}
