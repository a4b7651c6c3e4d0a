// One server for all clients of the matrix, in a process of its own, as a user starts it: they come over TLS, each with a credential. Plain
// HTTP is for the test itself.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AUDIENCE, type Issuer } from './issuer.ts'

const root = join(import.meta.dirname, '../..')
const FLAGS = ['--conditions=homeostat-source', '--disable-warning=ExperimentalWarning', 'packages/cli/src/main.ts']

export interface MatrixServer {
  /** Its data directory. */
  readonly folder: string
  /** Of plain HTTP. */
  readonly url: string
  /** Of TLS. */
  readonly secureUrl: string
  /** The arguments of Node that run the command, in the folder `root`. */
  readonly command: readonly string[]
  readonly root: string
  /** As the administrator; the answer. */
  post(path: string, body: unknown): Promise<unknown>
  stop(): Promise<void>
}

export async function startMatrixServer(issuer: Issuer): Promise<MatrixServer> {
  const parent = mkdtempSync(join(tmpdir(), 'homeostat-clients-'))
  const folder = join(parent, 'data')
  const authority = join(parent, 'issuer.crt')
  writeFileSync(authority, issuer.ca)
  const flags = ['--port', '0', '--data-dir', folder, '--secure', '--secure-port', '0']
  const oidc = ['--oidc-issuer-url', issuer.url, '--oidc-client-id', AUDIENCE, '--oidc-ca-file', authority]
  const child = spawn(process.execPath, [...FLAGS, 'up', ...flags, ...oidc, '--oidc-username-prefix', 'oidc:'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  const [url, secureUrl] = await new Promise<[string, string]>((resolve, reject) => {
    let printed = ''
    child.stdout.on('data', (chunk) => {
      printed += chunk
      const [, plain, secure] = /ready at (\S+) and (\S+)/.exec(printed) ?? []
      if (plain !== undefined && secure !== undefined) resolve([plain, secure])
    })
    child.on('close', () => reject(new Error(`the server ended before it was ready:\n${printed}`)))
  })
  return {
    folder,
    url,
    secureUrl,
    command: FLAGS,
    root,
    async post(path, body) {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(new URL(path, url), { method: 'POST', headers, body: JSON.stringify(body) })
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
      return answer.json()
    },
    async stop() {
      child.kill()
      await ended
      rmSync(parent, { recursive: true, force: true })
    },
  }
}
