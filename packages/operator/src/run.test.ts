import { describe, expect, it, onTestFinished } from 'vitest'
import { controller } from './controller.ts'
import { type RunOptions, run } from './run.ts'
import type { Controlled } from './runtime/controlled.ts'
import { eventually, silentLog, startTestServer } from './testing/server.fixture.ts'

const configMap = (name: string, data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data,
})

async function operate(controlled: Controlled | Controlled[], options: RunOptions = {}) {
  const server = await startTestServer()
  const running = run([controlled].flat(), { client: server.connect(), log: silentLog, name: 'test', ...options })
  onTestFinished(async () => {
    await running.close()
    await server.close()
  })
  await running.ready
  return { client: server.client, running }
}

describe('run with a controller', () => {
  it('makes what a reconcile applies', async () => {
    const copies = controller('v1', 'ConfigMap', {
      select: { labelSelector: 'copy=yes' },
      async reconcile(run) {
        const { name = '' } = run.object.metadata
        await run.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData: { from: name } })
      },
    })
    const { client, running } = await operate(copies)
    const source = configMap('a')
    await client
      .resource('v1', 'ConfigMap')
      .create({ ...source, metadata: { ...source.metadata, labels: { copy: 'yes' } } })
    const secret = await eventually(() => client.resource('v1', 'Secret').find({ name: 'a', namespace: 'default' }))
    expect(secret.data).toEqual({ from: Buffer.from('a').toString('base64') })
    await running.idle()
  })
})
