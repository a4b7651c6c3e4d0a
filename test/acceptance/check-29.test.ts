// Check 29: kill -9 of the server at any moment loses no acknowledged object or process; after a restart running operators and
// executors reconnect by themselves, watches resume, and reconciliation continues.

import { silentLog } from '@homeostat/base'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { type ApiObject, createClient, createInformers } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { executor } from '@homeostat/executor'
import { operator, run } from '@homeostat/operator'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { startServer } from '../server-process.ts'

test('check 29', async () => {
  const folder = temporaryFolder()
  const first = await startServer(folder, ['--runtime', 'none'])
  const { port } = new URL(first.url)
  const client = createClient(nodeTransport({ url: first.url }))
  onTestFinished(() => client.close())
  const kind = operator('check.io/v1/Copy', { spec: z.object({ text: z.string() }) }, ({ spec, child }) => [
    child('v1', 'ConfigMap', { data: { text: spec.text } }),
  ])
  const running = run(kind, { client, log: silentLog, name: 'copier' })
  onTestFinished(() => running.close())
  await running.ready
  const done = new Set<string>()
  const mark = ({ args }: { args: readonly unknown[] }) => void done.add(String(args[0]))
  const worker = executor({ client, type: 'w', name: 'w', functions: { mark }, log: silentLog, drain: '0s' })
  onTestFinished(() => worker.close())
  await worker.ready
  const informers = createInformers(client)
  onTestFinished(() => informers.close())
  const copies = informers.open('check.io/v1', 'Copy', {})
  await copies.whenSynced()

  const access = (apiVersion: string, name: string) => client.resourceOf<ApiObject>(apiVersion, name)
  const acknowledged: string[] = []
  const write = async (name: string) => {
    const metadata = { name, namespace: 'default' }
    await access('check.io/v1', 'Copy').create({ metadata, spec: { text: name } } as object)
    const spec = { funcName: 'mark', args: [name], conditions: { executorType: 'w' } }
    await access('colonies.io/v1', 'Process').create({ metadata, spec } as object)
    acknowledged.push(name)
  }
  const writing = (async () => {
    for (let i = 0; i < 200; i++) await write(`a${i}`)
  })().catch(() => {})
  await expect.poll(() => acknowledged.length).toBeGreaterThan(20)
  await first.stop('SIGKILL')
  const before = [...acknowledged]
  await startServer(folder, ['--runtime', 'none', '--port', port])
  await writing
  await write('after')
  for (const name of [...before, 'after']) {
    const place = { name, namespace: 'default' }
    expect(await access('check.io/v1', 'Copy').find(place), name).toBeDefined()
    expect(await access('colonies.io/v1', 'Process').find(place), name).toBeDefined()
  }
  const settled = async () => {
    const maps = (await access('v1', 'ConfigMap').list({ namespace: 'default' })).items
    const copied = new Set(maps.map(({ metadata }) => metadata.name))
    return [...before, 'after'].filter(
      (name) => !copied.has(name) || !done.has(name) || !copies.get({ name, namespace: 'default' }),
    )
  }
  await expect.poll(settled).toEqual([])
})
