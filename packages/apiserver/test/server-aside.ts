// A server in a worker thread whose event loop is measured, for tests of work that must not block it.

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeEach, expect } from 'vitest'
import { client, type TestServer } from './server.ts'

export interface ServerAside extends Omit<TestServer, 'store'> {
  /**
   * The longest turn of the server's event loop since the last call, in ms: by the clock or by processor time, whichever
   * is less, scaled to a quiet machine.
   */
  blocked(): Promise<number>
}

export async function serveAside(): Promise<ServerAside> {
  const worker = new Worker(new URL('./server-thread.ts', import.meta.url))
  const [port] = (await once(worker, 'message')) as [number]
  return {
    ...client(port),
    async blocked() {
      worker.postMessage('blocked')
      const [ms] = (await once(worker, 'message')) as [number]
      return ms
    },
    async close() {
      worker.postMessage('close')
      await once(worker, 'exit')
    },
  }
}

/** No request may block the event loop for longer. */
const MAX_BLOCKED_MS = 100

/** The same for all tests of a file: after each the loop was never blocked for long, and the server is ready. */
export async function serveUnblocked(): Promise<ServerAside> {
  const server = await serveAside()
  afterAll(() => server.close())
  beforeEach(() => server.blocked())
  afterEach(async () => {
    expect(await server.blocked()).toBeLessThan(MAX_BLOCKED_MS)
    expect((await server.get('/readyz')).text).toBe('ok')
  })
  return server
}
