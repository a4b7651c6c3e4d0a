// The operator's program as a process of its own: starts it, reads its lines and messages, and ends it. `dev` has at most
// one at a time.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { Project } from '../project/read-project.ts'
import { startEntry } from '../project/start-entry.ts'
import { END_GRACE_MS, type FromOperator, type ToOperator } from './operator-messages.ts'

export interface OperatorProcessOptions {
  readonly project: Project
  readonly env: Readonly<Record<string, string | undefined>>
  onLine(line: string): void
  onMessage(message: FromOperator): void
  onEnd(end: ProcessEnd): void
}

export interface ProcessEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** How long output may follow the end: a child of the operator may keep the pipe open. */
const LAST_OUTPUT_MS = 300

export class OperatorProcess {
  readonly #child: ChildProcess

  constructor({ project, env, onLine, onMessage, onEnd }: OperatorProcessOptions) {
    const host = new URL('./operator-host.ts', import.meta.url)
    const child = startEntry(project, { host, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: true })
    this.#child = child
    const flush = [child.stdout, child.stderr].map((stream) => readLines(stream, onLine))
    child.on('message', (message) => onMessage(message as FromOperator))
    child.on('error', (error) => {
      if (child.pid !== undefined) return
      onLine(error.message)
      onEnd({ code: null, signal: null })
    })
    child.once('exit', async (code, signal) => {
      await once(child, 'close', { signal: AbortSignal.timeout(LAST_OUTPUT_MS) }).catch(() => {})
      for (const last of flush) last()
      onEnd({ code, signal })
    })
  }

  send(message: ToOperator): void {
    if (this.#child.connected) this.#child.send(message, () => {})
  }

  /** Asks it to end, and kills it with its children when it does not. `onEnd` follows. */
  stop(): void {
    const child = this.#child
    if (child.exitCode !== null || child.signalCode !== null) return
    this.send({ type: 'end' })
    const timer = setTimeout(() => this.kill(), END_GRACE_MS)
    child.once('exit', () => clearTimeout(timer))
  }

  kill(): void {
    const { pid } = this.#child
    if (pid === undefined) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // It has just ended.
    }
  }
}

/** Returns a function that passes on what is left after the last line break. */
function readLines(stream: Readable | null, onLine: (line: string) => void): () => void {
  let rest = ''
  stream?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  })
  return () => {
    if (rest !== '') onLine(rest)
    rest = ''
  }
}
