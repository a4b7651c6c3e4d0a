// Credentials from a plugin, as cloud providers ship them. The plugin runs without a cached credential, after it
// expired, and after the server refused it; concurrent requests share one run.

import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { type Clock, systemClock } from '@homeostat/base'
import { abortable } from '../../send/abortable.ts'
import type { Credential, Credentials } from './credentials.ts'
import {
  checkExecConfig,
  type ExecCluster,
  type ExecConfig,
  execInfo,
  type Issued,
  readExecCredential,
} from './exec-credential.ts'

/** Long enough for a person to log in. */
const TIMEOUT_MS = 300_000
const MAX_OUTPUT_BYTES = 1024 * 1024

export class ExecPlugin implements Credentials {
  readonly #config: ExecConfig
  readonly #cluster: ExecCluster
  readonly #clock: Clock
  #issued: Issued | undefined
  #running: Promise<Issued> | undefined

  constructor(config: ExecConfig, cluster: ExecCluster, clock: Clock = systemClock) {
    checkExecConfig(config)
    this.#config = config
    this.#cluster = cluster
    this.#clock = clock
  }

  async get(signal?: AbortSignal): Promise<Credential> {
    const { expires = Number.POSITIVE_INFINITY, credential } = this.#issued ?? {}
    if (credential !== undefined && this.#clock.now() < expires) return credential
    this.#running ??= runPlugin(this.#config, this.#cluster).finally(() => {
      this.#running = undefined
    })
    signal?.throwIfAborted()
    this.#issued = await abortable(this.#running, signal)
    return this.#issued.credential
  }

  refused(credential: Credential): boolean {
    if (this.#issued?.credential === credential) this.#issued = undefined
    return true
  }
}

async function runPlugin(config: ExecConfig, cluster: ExecCluster): Promise<Issued> {
  const { command, args, env, installHint, interactiveMode = 'IfAvailable' } = config
  const interactive = interactiveMode !== 'Never' && process.stdin.isTTY === true
  if (interactiveMode === 'Always' && !interactive) {
    throw new Error(`exec plugin "${command}" has to ask somebody, and there is no terminal`)
  }
  const own = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value]))
  const variables = { ...process.env, ...own, KUBERNETES_EXEC_INFO: execInfo(config, interactive, cluster) }
  const { spawn } = process.getBuiltinModule('node:child_process')
  const child = spawn(command, args ?? [], {
    env: variables,
    // At a terminal the user talks to the plugin directly.
    stdio: [interactive ? 'inherit' : 'ignore', 'pipe', interactive ? 'inherit' : 'pipe'],
    timeout: TIMEOUT_MS,
    windowsHide: true,
  })
  const [out, errors] = [gather(child, child.stdout), gather(child, child.stderr)]
  const ended = new Promise<string>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve(code === 0 ? '' : `it ended with ${signal ?? code}`))
  })
  const failure = await ended.catch((cause: Error) => {
    throw missing(command, cause, installHint)
  })
  if (failure !== '') {
    throw new Error(`the credential program "${command}" of the kubeconfig failed: ${errors().trim() || failure}`)
  }
  return readExecCredential(config, out())
}

/** Buffers the output; a plugin that writes too much is killed. */
function gather(child: ChildProcess, stream: Readable | null): () => string {
  const chunks: Buffer[] = []
  let bytes = 0
  stream?.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MAX_OUTPUT_BYTES) child.kill()
    else chunks.push(chunk)
  })
  return () => Buffer.concat(chunks).toString()
}

function missing(command: string, cause: Error, installHint: string | undefined): Error {
  const there = !('code' in cause && cause.code === 'ENOENT')
  const what = `the credential program "${command}" of the kubeconfig`
  if (there) return new Error(`${what} could not be started: ${cause.message}`, { cause })
  return new Error(`${what} is not installed${installHint ? `\n\n${installHint.trim()}` : ''}`, { cause })
}
