// One server for all clients of the matrix, in a process of its own, as a user starts it.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const FLAGS = ['--conditions=homeostat-source', '--disable-warning=ExperimentalWarning', 'packages/cli/src/main.ts']

export interface MatrixServer {
  readonly kubeconfig: string
  post(path: string, body: unknown): Promise<void>
  stop(): Promise<void>
}

export async function startMatrixServer(): Promise<MatrixServer> {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-clients-'))
  const child = spawn(process.execPath, [...FLAGS, 'up', '--port', '0', '--data-dir', folder], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  const url = await new Promise<string>((resolve, reject) => {
    let printed = ''
    child.stdout.on('data', (chunk) => {
      printed += chunk
      const found = /ready at (\S+)/.exec(printed)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.on('close', () => reject(new Error(`the server ended before it was ready:\n${printed}`)))
  })
  return {
    kubeconfig: join(folder, 'kubeconfig'),
    async post(path, body) {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(new URL(path, url), { method: 'POST', headers, body: JSON.stringify(body) })
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    },
    async stop() {
      child.kill()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
