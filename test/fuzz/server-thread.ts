// A server in a thread of its own, on a data directory, whose event loop is watched and whose end is noticed.

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export interface ServerState {
  /** How many steps the longest turn of the event loop took since this was last asked: see step-counter.ts. */
  readonly steps: number
  /** How many all turns took since then. */
  readonly total: number
  /** What the server wrote to its log as an error since then. */
  readonly failures: readonly string[]
}

/** What a turn may take: less than 100 ms on a quiet machine. What is quadratic takes hundreds of millions. */
export const MAX_STEPS = 15_000_000
/** What all turns of one request may take together. */
export const MAX_TOTAL = 150_000_000

export interface ServerThread {
  readonly url: string
  readonly port: number
  /** Rejects when the server is gone. */
  state(): Promise<ServerState>
  /** Bytes of the server's objects that are in use. */
  heap(): Promise<number>
  close(): Promise<void>
}

export async function startServerThread(directory: string): Promise<ServerThread> {
  const worker = new Worker(new URL('./fuzz-server.ts', import.meta.url), { workerData: { directory } })
  const gone = new Promise<never>((_, reject) => {
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
  })
  gone.catch(() => {})
  const [port] = (await Promise.race([once(worker, 'message'), gone])) as [number]
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async state() {
      worker.postMessage('state')
      const [state] = (await Promise.race([once(worker, 'message'), gone])) as [ServerState]
      return state
    },
    async heap() {
      worker.postMessage('heap')
      const [bytes] = (await Promise.race([once(worker, 'message'), gone])) as [number]
      return bytes
    },
    async close() {
      worker.postMessage('close')
      await once(worker, 'exit')
    },
  }
}
