// The client without Node: no Buffer, no process, no node: modules.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { servedClient } from './served-client.ts'

const PROGRAM = `
const { log } = console
const [url] = process.argv.slice(1)
// Node's own fetch goes on seeing its globals; what calls from anywhere else does not.
for (const name of ['Buffer', 'process', 'setImmediate', 'global']) {
  const value = globalThis[name]
  const get = () => {
    const [, , caller] = new Error().stack.split('\\n')
    if (caller.includes('node:internal')) return value
    throw new ReferenceError(name + ' is not defined ' + caller)
  }
  Object.defineProperty(globalThis, name, { get })
}
const { createClient, fetchTransport } = await import('@homeostat/client')
const client = createClient(fetchTransport({ baseUrl: url }))
const maps = client.resource('v1', 'ConfigMap')
await maps.create({ metadata: { name: 'browser', namespace: 'default' }, data: { a: 'b' } })
for await (const { type, object } of maps.watch({ namespace: 'default', fieldSelector: 'metadata.name=browser' })) {
  log(type, object.data.a)
  break
}
log(await maps.find({ name: 'missing', namespace: 'default' }))
client.close()
`

test('a client that has fetch and nothing of Node reads, writes and watches', async () => {
  const { url, close } = await servedClient()
  onTestFinished(close)
  const args = ['--conditions=homeostat-source', '--input-type=module', '-e', PROGRAM, url]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname })
  expect(stdout).toBe('ADDED b\nundefined\n')
})
