// Keeps one process of the operator running: starts it, and starts another after it when a loaded file has changed. The plan
// decides, this carries out.

import { join } from 'node:path'
import { systemClock } from '@homeostat/base'
import { Fault } from '../fault.ts'
import type { Project } from '../project/read-project.ts'
import type { FromOperator } from './operator-messages.ts'
import { type OperatorEvent, type Phase, planOperator } from './operator-plan.ts'
import { OperatorProcess, type ProcessEnd } from './operator-process.ts'
import { SourceWatch } from './source-watch.ts'

export interface OperatorListener {
  /** Loaded files have changed; a restart follows. */
  changed(files: readonly string[]): void
  starting(): void
  line(line: string): void
  message(message: FromOperator): void
  /** The process ended without having been asked to. */
  failed(end: ProcessEnd): void
  /** It could not be started at all. */
  refused(fault: Fault): void
  /** The process has ended, whatever the reason. */
  ended(): void
}

export interface OperatorLoopOptions {
  /** Called for each start, since a change of package.json may name another entry. Throws a Fault. */
  readProject(): Project
  readonly env: Readonly<Record<string, string | undefined>>
  readonly listener: OperatorListener
}

export class OperatorLoop {
  readonly #options: OperatorLoopOptions
  readonly #watch: SourceWatch
  readonly #closed = Promise.withResolvers<void>()
  #phase: Phase = 'none'
  #process: OperatorProcess | undefined

  constructor(options: OperatorLoopOptions) {
    this.#options = options
    this.#watch = new SourceWatch((files) => {
      if (this.#phase !== 'ending') options.listener.changed(files)
      this.#step('restart')
    })
  }

  /** Starts the operator, or ends it and starts it again. */
  restart(): void {
    this.#step('restart')
  }

  /** Answers a question; without the permission the operator cannot go on. */
  answer(question: number, isAllowed: boolean): void {
    if (isAllowed) this.#process?.send({ type: 'allow', question })
    else this.#step('halt')
  }

  /** Resolves when no process is left. Safe to call twice. */
  close(): Promise<void> {
    this.#watch.close()
    this.#step('close')
    return this.#closed.promise
  }

  /** Ends the process at once. */
  kill(): void {
    this.#process?.kill()
  }

  #step(event: OperatorEvent): void {
    const { phase, action } = planOperator(this.#phase, event)
    this.#phase = phase
    if (action === 'stop') this.#process?.stop()
    if (action === 'start') this.#start()
    if (phase === 'ending' && this.#process === undefined) this.#closed.resolve()
  }

  #start(): void {
    const { listener, env } = this.#options
    listener.starting()
    const started = systemClock.now()
    let project: Project
    try {
      project = this.#options.readProject()
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      listener.refused(error)
      this.#step('ended')
      return
    }
    for (const file of [project.entry, join(project.folder, 'package.json')]) this.#watch.add(file, started)
    this.#process = new OperatorProcess({
      project,
      env,
      onLine: (line) => listener.line(line),
      onMessage: (message) => {
        if (message.type === 'loads') for (const file of message.files) this.#watch.add(file, started)
        else listener.message(message)
      },
      onEnd: (end) => {
        this.#process = undefined
        listener.ended()
        if (this.#phase === 'running') listener.failed(end)
        this.#step('ended')
      },
    })
  }
}
