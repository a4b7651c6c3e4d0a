// One server for all clients of the matrix, started as a user starts it.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../server-process.ts'

export interface MatrixServer {
  readonly kubeconfig: string
  post(path: string, body: unknown): Promise<void>
  stop(): Promise<void>
}

export async function startMatrixServer(): Promise<MatrixServer> {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-clients-'))
  const server = await startServer(folder)
  return {
    kubeconfig: server.kubeconfig,
    async post(path, body) {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(new URL(path, server.url), { method: 'POST', headers, body: JSON.stringify(body) })
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    },
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
