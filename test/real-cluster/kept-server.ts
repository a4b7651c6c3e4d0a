// A server of a run: `homeostat up` under an own port and data directory, started again whenever it ends, as a supervisor does.
// The hands of faults end, pause and restart it.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { ready, spawnHomeostat } from '../server-process.ts'

const RESTART_MS = 100
/** On a busy machine members that have just started may have no leader yet. */
const START_TRIES = 5

export interface Ending {
  readonly server: string
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stderr: string
}

export class KeptServer {
  readonly name: string
  readonly url: string
  /** How it ended without being told to. */
  readonly endings: Ending[] = []
  readonly #flags: readonly string[]
  readonly #directory: string
  readonly #tell: (line: string) => void
  #child: ChildProcess | undefined
  /** What all its processes have logged. */
  #said = ''
  /** While it has not come to its end, the server does not come again. */
  #hold: Promise<unknown> = Promise.resolve()
  #isWanted = false
  /** The end of a process that a fault asked for. */
  #asked: ChildProcess | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(options: {
    readonly name: string
    readonly port: number
    readonly directory: string
    readonly flags: readonly string[]
    /** Hears of ends that nobody asked for. */
    readonly tell: (line: string) => void
  }) {
    this.#tell = options.tell
    this.name = options.name
    this.url = `http://127.0.0.1:${options.port}`
    this.#directory = options.directory
    this.#flags = ['up', '--port', `${options.port}`, '--data-dir', options.directory, ...options.flags]
  }

  get said(): string {
    return this.#said
  }

  /** Resolves when the server is ready for the first time. */
  start(): Promise<void> {
    this.#isWanted = true
    const first = Promise.withResolvers<void>()
    this.#running = this.#keep(first.resolve, first.reject)
    return first.promise
  }

  /** Ends it with the signal; it comes again unless `hold` keeps it away. */
  async end(signal: 'SIGKILL' | 'SIGTERM', hold: Promise<unknown>): Promise<void> {
    this.#hold = hold
    const child = this.#child
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      this.#asked = child
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    }
  }

  pause(): void {
    this.#child?.kill('SIGSTOP')
  }

  resume(): void {
    this.#child?.kill('SIGCONT')
  }

  async close(): Promise<void> {
    this.#isWanted = false
    this.resume()
    await this.end('SIGTERM', Promise.resolve())
    await this.#running
  }

  async #keep(onReady: () => void, onFailure: (error: Error) => void): Promise<void> {
    let tries = 0
    while (this.#isWanted) {
      const child = spawnHomeostat(this.#flags)
      this.#child = child
      child.stderr?.on('data', (part) => {
        this.#said += part
      })
      const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
      const begun = ready(child, this.#directory)
      const [code, signal] = await Promise.all([
        ended,
        begun.then(
          () => onReady(),
          (error) => ++tries === START_TRIES && onFailure(error),
        ),
      ]).then(([end]) => end)
      const stderr = await begun.then(
        ({ output }) => output().stderr,
        (error: Error) => error.message,
      )
      if (this.#asked !== child) {
        this.endings.push({ server: this.name, code, signal, stderr })
        this.#tell(`${this.name} ended with ${code ?? signal}: ${stderr.trim().split('\n').slice(-3).join('\n')}`)
      }
      await this.#hold
      await delay(RESTART_MS)
    }
  }
}
