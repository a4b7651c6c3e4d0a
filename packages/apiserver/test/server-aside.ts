// A server in a thread of its own, whose event loop is watched: for tests of what must never block it.

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { client, type TestServer } from './server.ts'

export interface ServerAside extends Omit<TestServer, 'store'> {
  /**
   * How long, in ms, the longest turn of the server's event loop took since this was last asked: by the clock or by
   * processor time, whichever is less, as it would be on a quiet machine.
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
