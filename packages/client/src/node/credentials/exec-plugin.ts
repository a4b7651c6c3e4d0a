// Credentials from a program, as cloud providers have them. It runs when there is none, when the last has expired, and
// when the server refused it; requests that need one at the same time wait for the same run.

import { type Clock, systemClock } from '@homeostat/queue'
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
  const { execFile } = process.getBuiltinModule('node:child_process')
  const { command, args, env, installHint, interactiveMode = 'IfAvailable' } = config
  const interactive = interactiveMode !== 'Never' && process.stdin.isTTY === true
  if (interactiveMode === 'Always' && !interactive) {
    throw new Error(`exec plugin "${command}" has to ask somebody, and there is no terminal`)
  }
  const own = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value]))
  const info = execInfo(config, interactive, cluster)
  const text = await new Promise<string>((resolve, reject) => {
    const options = {
      env: { ...process.env, ...own, KUBERNETES_EXEC_INFO: info },
      timeout: TIMEOUT_MS,
      maxBuffer: MAX_OUTPUT_BYTES,
      windowsHide: true,
    }
    const child = execFile(command, args ?? [], options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(pluginError(command, error, stderr, installHint))
    })
    if (interactive && child.stdin !== null) process.stdin.pipe(child.stdin)
    else child.stdin?.end()
    child.stdin?.on('error', () => {})
    if (interactive) child.stderr?.pipe(process.stderr)
  })
  return readExecCredential(config, text)
}

function pluginError(command: string, cause: Error, stderr: string, installHint: string | undefined): Error {
  if ('code' in cause && cause.code === 'ENOENT') {
    const hint = installHint ? `\n\n${installHint.trim()}` : ''
    return new Error(`the credential program "${command}" of the kubeconfig is not installed${hint}`, { cause })
  }
  const said = stderr.trim().slice(-2000)
  return new Error(`the credential program "${command}" of the kubeconfig failed: ${said || cause.message}`, { cause })
}
