// Operators and a server that is not up, or that cannot take them: they wait, say so once, and end when they are told to.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '@homeostat/base/testing/eventually'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { type Client, createClient } from '@homeostat/client'
import { controller, operator, type RunOptions, run } from '@homeostat/operator'
import { testEnv } from '@homeostat/testing'
import { testColony } from '@homeostat/testing/colony'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

const site = operator('ex.io/v1/Site', { spec: z.object({}) }, () => [])
const PULLING = { pull: { executorType: 'sites', colony: 'default' } }

function noting() {
  const lines: string[] = []
  const note = (level: string) => (_: object, message: string) => void lines.push(`${level} ${message}`)
  return { lines, log: { debug() {}, info: note('info'), warn: note('warn'), error: note('error') } }
}

/** A server that can be away. */
function withOutages({ transport }: Client) {
  const state = { down: true, refused: 0, cut: new AbortController() }
  const client = createClient({
    async send(request) {
      const { signal = state.cut.signal } = request
      if (!state.down) return transport.send({ ...request, signal: AbortSignal.any([signal, state.cut.signal]) })
      state.refused++
      throw Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:3000'), { code: 'ECONNREFUSED' })
    },
    close: () => {},
  })
  return { client, state }
}

test.each<[string, RunOptions]>([
  ['watches', {}],
  ['pulls', PULLING],
])('one that %s waits for its server, and says once that it waits and that it came', async (_, options) => {
  const colony = await testColony()
  onTestFinished(() => colony.close())
  const { client, state } = withOutages(colony.client)
  const { log, lines } = noting()
  const running = run(site, { client, log, name: 'sites', ...options })
  onTestFinished(() => running.close())
  await until(() => expect(state.refused).toBeGreaterThan(4))
  const aboutIt = () => lines.filter((line) => line.includes('reached'))
  expect(aboutIt()).toEqual(['warn the server is not reached; the operator waits for it'])
  state.down = false
  await running.ready
  expect(aboutIt()).toEqual(['warn the server is not reached; the operator waits for it', 'info the server is reached'])
  expect(lines.filter((line) => line.startsWith('error'))).toEqual([])
})

test('one whose connection is lost says so once, and once that it is there again', async () => {
  const env = await testEnv()
  onTestFinished(() => env.close())
  const { client, state } = withOutages(env.client)
  state.down = false
  const { log, lines } = noting()
  const maps = controller('v1', 'ConfigMap', async () => {})
  const running = run(site, maps, { client, log, name: 'sites' })
  onTestFinished(() => running.close())
  await running.ready
  lines.length = 0
  state.down = true
  state.cut.abort(new Error('socket hang up'))
  state.cut = new AbortController()
  await until(() => expect(state.refused).toBeGreaterThan(3))
  state.down = false
  const expected = [
    'warn the connection to the server is lost; it is made again',
    'info the connection to the server is there again',
  ]
  await until(() => expect(lines).toEqual(expected))
})

test.each<[string, RunOptions]>([
  ['watches', {}],
  ['pulls', PULLING],
])('one that %s and waits for its server ends when it is closed', async (_, options) => {
  const env = await testEnv()
  onTestFinished(() => env.close())
  const { client, state } = withOutages(env.client)
  const running = run(site, { client, log: noting().log, name: 'sites', ...options })
  await until(() => expect(state.refused).toBeGreaterThan(0))
  await running.close()
  await running.done
  await expect(running.ready).rejects.toThrow('closed before it was ready')
})

test('one that pulls and is not registered, since the server has no colony, ends when it is closed', async () => {
  const env = await testEnv()
  onTestFinished(() => env.close())
  const { log, lines } = noting()
  const running = run(site, { client: env.client, log, name: 'sites', ...PULLING })
  await until(() => expect(lines.join()).toContain('is this a server with a colony?'))
  await running.close()
  await running.done
  await expect(running.ready).rejects.toThrow('closed before it was ready')
})

test('one that pulls with an option that no executor can have says so and ends', async () => {
  const env = await testEnv()
  onTestFinished(() => env.close())
  const running = run(site, { client: env.client, log: noting().log, name: 'sites', concurrency: 0, ...PULLING })
  await expect(running.ready).rejects.toThrow('concurrency')
  await running.close()
})

const PROGRAM = `
import { operator, run } from '@homeostat/operator'
import { z } from 'zod'
const site = operator('ex.io/v1/Site', { spec: z.object({}) }, () => [])
const running = run(site, { name: 'sites', pull: { executorType: 'sites' } })
process.once('SIGTERM', () => running.close())
await running.done
`

test('a program whose operator is not registered ends with SIGTERM', async () => {
  const env = await testEnv({ listen: true })
  onTestFinished(() => env.close())
  const folder = temporaryFolder()
  const cluster = { name: 'it', cluster: { server: env.url } }
  const context = { name: 'it', context: { cluster: 'it', user: 'it' } }
  const config = {
    'current-context': 'it',
    clusters: [cluster],
    contexts: [context],
    users: [{ name: 'it', user: {} }],
  }
  const kubeconfig = join(folder, 'kubeconfig')
  await writeFile(kubeconfig, JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...config }))
  const flags = ['--conditions=homeostat-source', '--input-type=module', '-e', PROGRAM]
  const env_ = { ...process.env, KUBECONFIG: kubeconfig, NODE_OPTIONS: '' }
  const child = spawn(process.execPath, flags, {
    cwd: import.meta.dirname,
    env: env_,
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  const ended = once(child, 'exit')
  await until(() => expect(said).toContain('is this a server with a colony?'))
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})
