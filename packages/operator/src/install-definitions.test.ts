// An operator whose definitions an administrator installs.

import { silentLog } from '@homeostat/base'
import { createClient, type TransportRequest } from '@homeostat/client'
import { expect, it, onTestFinished } from 'vitest'
import { controller } from './controller.ts'
import { run } from './run.ts'
import type { RunOptions } from './run-options.ts'
import { definition } from './runtime/operate.fixture.ts'
import { startTestServer } from './testing/server.fixture.ts'

const gadgets = { ...controller('example.com/v1', 'Gadget', async () => {}), definition: definition('Gadget') }
const FORBIDDEN = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Forbidden', code: 403, message: 'no' }

/** Starts it without any right on definitions; `refused` resolves when it found that out. */
async function start(options: RunOptions = {}) {
  const server = await startTestServer()
  const { transport } = server.connect()
  const refused = Promise.withResolvers<void>()
  const client = createClient({
    async send(request: TransportRequest) {
      if (!request.path.includes('/customresourcedefinitions')) return transport.send(request)
      refused.resolve()
      const body = (async function* () {
        yield new TextEncoder().encode(JSON.stringify(FORBIDDEN))
      })()
      return { status: 403, header: () => 'application/json', body }
    },
    close: () => transport.close(),
  })
  const running = run(gadgets, { client, log: silentLog, ...options })
  onTestFinished(async () => {
    await running.close()
    await server.close()
  })
  return { server, running, refused: refused.promise }
}

it('waits until its kind is served', async () => {
  const { server, running, refused } = await start()
  await refused
  await server.client.resourceOf('apiextensions.k8s.io/v1', 'CustomResourceDefinition').create(definition('Gadget'))
  await running.ready
})

it('says that it may not install them, if it was asked to', async () => {
  const { running } = await start({ install: true })
  await expect(running.ready).rejects.toThrow('no')
})
