// BullMQ on Redis. Run as `node bullmq.ts SOCKET`.

import { createRequire } from 'node:module'
import { PAYLOAD, serveQueue, WORKERS } from './queue-program.ts'

/** As much of the package as is used here. */
interface BullMq {
  readonly Queue: new (name: string, options: object) => { add(name: string, data: object): Promise<unknown> }
  readonly Worker: new (
    name: string,
    run: () => Promise<void>,
    options: object,
  ) => { on(event: 'completed', then: () => void): void; waitUntilReady(): Promise<unknown> }
}

const require = createRequire(new URL('./package.json', import.meta.url))
const { Queue, Worker } = (await import(require.resolve('bullmq'))) as BullMq

await serveQueue(async (path, done) => {
  const queue = new Queue('bench', { connection: { path } })
  const worker = new Worker('bench', async () => {}, {
    connection: { path, maxRetriesPerRequest: null },
    concurrency: WORKERS,
  })
  worker.on('completed', done)
  await worker.waitUntilReady()
  return { add: () => queue.add('resize', PAYLOAD) }
})
