// One member of an etcd cluster as a process: its folder and ports stay, the process comes and goes. The cluster makes members;
// tests end, pause and start them again. A member ends with the process that made it, however that ends.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export class EtcdMember {
  readonly name: string
  /** Where it listens for clients, and what its certificate is for. */
  readonly clientUrl: string
  readonly folder: string
  readonly #program: string
  readonly #flags: readonly string[]
  readonly #answers: (member: EtcdMember) => Promise<boolean>
  #child: ChildProcess | undefined

  constructor(options: {
    readonly name: string
    readonly clientUrl: string
    readonly folder: string
    readonly program: string
    readonly flags: readonly string[]
    readonly answers: (member: EtcdMember) => Promise<boolean>
  }) {
    this.name = options.name
    this.clientUrl = options.clientUrl
    this.folder = options.folder
    this.#program = options.program
    this.#flags = options.flags
    this.#answers = options.answers
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  get running(): boolean {
    return this.#child !== undefined
  }

  /** Starts the process and does not wait for anything: a member answers when a quorum of them runs. */
  launch(): void {
    if (this.#child !== undefined) throw new Error(`${this.name} runs already`)
    const log = openSync(join(this.folder, 'log'), 'a')
    const child = spawn(this.#program, [...this.#flags], { stdio: ['ignore', log, log], cwd: this.folder, env: {} })
    closeSync(log)
    this.#child = child
    // When this process is gone, its end of the pipe is closed, and the shell reads on.
    const guard = spawn('/bin/sh', ['-c', `read -r line; kill -9 ${child.pid}`], {
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    guard.unref()
    child.once('exit', () => {
      guard.kill('SIGKILL')
      this.#child = undefined
    })
    child.once('error', () => {})
  }

  /** Resolves when the member answers reads and writes; rejects with the end of its log when it ended instead. */
  async ready(): Promise<void> {
    while (!(await this.#answers(this))) {
      if (!this.running) throw new Error(`${this.name} ended:\n${this.log().split('\n').slice(-6).join('\n')}`)
      await delay(10)
    }
  }

  async start(): Promise<void> {
    this.launch()
    await this.ready()
  }

  pause(): void {
    this.#child?.kill('SIGSTOP')
  }

  resume(): void {
    this.#child?.kill('SIGCONT')
  }

  /** Ends it at once, as a crash does. */
  kill(): Promise<void> {
    return this.#end('SIGKILL')
  }

  /** Asks it to end: it hands its leadership over. */
  async stop(): Promise<void> {
    this.resume()
    await this.#end('SIGTERM')
  }

  log(): string {
    return readFileSync(join(this.folder, 'log'), 'utf8')
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (child === undefined) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
}
