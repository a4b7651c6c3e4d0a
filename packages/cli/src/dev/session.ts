// One run of `dev` on a server: the operator's process, what is shown of it and of its objects, and the keys.

import { join } from 'node:path'
import { systemClock } from '@homeostat/base'
import { AccessFile, kindKey } from '@homeostat/operator/access'
import { Fault } from '../fault.ts'
import type { Project } from '../project/read-project.ts'
import type { Terminal } from '../terminal.ts'
import { AccessAdvice } from './access-advice.ts'
import { keyHelp } from './banner.ts'
import { BreakingQuestions } from './breaking-question.ts'
import type { DevServer } from './dev-server.ts'
import { applyExamples } from './examples.ts'
import { type Command, commandOf } from './keys.ts'
import { OperatorLoop } from './operator-loop.ts'
import type { FromOperator } from './operator-messages.ts'
import { OperatorReport } from './operator-report.ts'
import type { Screen } from './screen.ts'
import { WatchedObjects } from './watched-objects.ts'

export interface SessionOptions {
  /** As it is now; and read again for each start of the operator. */
  readonly project: Project
  readProject(): Project
  readonly server: DevServer
  readonly screen: Screen
  readonly terminal: Terminal
  readonly logLevel: string
  readonly allowBreaking: boolean
  /** Applies the examples as soon as their kinds are served. */
  readonly apply: boolean
}

export class Session {
  readonly #options: SessionOptions
  readonly #report: OperatorReport
  readonly #questions: BreakingQuestions
  readonly #objects: WatchedObjects
  readonly #loop: OperatorLoop
  readonly #access: AccessFile
  readonly #advice: AccessAdvice
  readonly #ending = new AbortController()
  readonly #quit = Promise.withResolvers<void>()
  /** Since the process began, the first time: what a person waits for. */
  #startedAt = 0
  /** The kinds of the runs that the process has started so far. */
  #kinds: readonly string[] = []

  constructor(options: SessionOptions) {
    const { screen, server, project, terminal } = options
    this.#options = options
    this.#access = new AccessFile(project.state)
    this.#report = new OperatorReport(screen, project)
    this.#advice = new AccessAdvice({ clock: systemClock, say: (lines) => this.#report.undeclared(lines) })
    this.#objects = new WatchedObjects(server.client, screen)
    this.#questions = new BreakingQuestions({
      screen,
      isAllowed: options.allowBreaking,
      isAttended: terminal.keys !== undefined,
    })
    this.#loop = new OperatorLoop({
      readProject: options.readProject,
      env: operatorEnv(options),
      listener: {
        changed: (files) => {
          this.#startedAt = performance.now()
          this.#report.changed(files)
        },
        starting: () => {
          this.#kinds = []
          this.#advice.restart()
          this.#report.starting()
        },
        line: (line) => this.#report.line(line),
        message: (message) => this.#hear(message),
        failed: (end) => this.#report.failed(end, this.#kinds.length > 0),
        refused: ({ message }) => screen.say({ text: message, tone: 'bad' }),
        ended: () => this.#questions.withdraw(),
      },
    })
    this.#loop.restart()
    if (options.apply) void this.#apply()
  }

  /** Resolves when a person quits. */
  get quit(): Promise<void> {
    return this.#quit.promise
  }

  key(key: string): void {
    const command = commandOf(key)
    if (this.#questions.isAsking && command !== 'quit') this.#questions.key(key)
    else if (command !== undefined) this.#carryOut(command)
  }

  async close(): Promise<void> {
    this.#ending.abort()
    this.#objects.close()
    this.#advice.close()
    await this.#loop.close()
    this.#options.screen.flush()
  }

  /** Ends the operator without waiting for it. */
  kill(): void {
    this.#loop.kill()
  }

  #carryOut(command: Command): void {
    const { screen } = this.#options
    if (command === 'restart') {
      this.#startedAt = performance.now()
      screen.say({ text: 'the operator restarts' })
      this.#loop.restart()
    } else if (command === 'apply') void this.#apply()
    else if (command === 'clear') screen.clear()
    else if (command === 'help') screen.block(keyHelp())
    else this.#quit.resolve()
  }

  #hear(message: FromOperator): void {
    if (message.type === 'started') {
      this.#kinds = [...this.#kinds, ...message.run.kinds.map(kindKey)]
      this.#advice.started(message.run)
    } else if (message.type === 'requested') {
      this.#access.record(this.#kinds, message.request)
      this.#advice.requested(message.request)
    } else if (message.type === 'installed') this.#report.installed(message.installed)
    else if (message.type === 'works') {
      this.#report.works(message.run, performance.now() - this.#startedAt)
      this.#objects.follow(message.run)
    } else if (message.type === 'asks') {
      const { question, definition, changes } = message
      const answer = (isAllowed: boolean) => this.#loop.answer(question, isAllowed)
      this.#questions.ask({ definition, changes, answer })
    }
  }

  async #apply(): Promise<void> {
    const { project, server, screen, terminal } = this.#options
    try {
      const applied = await applyExamples(project.examples, {
        ...server,
        terminal,
        signal: this.#ending.signal,
        onWait: (kind) => screen.say({ text: `the examples wait for the kind ${kind}` }),
      })
      const done = applied.filter(({ error }) => error === undefined)
      const aside = done.map(({ object, outcome }) => `${object} ${outcome}`).join(', ')
      if (done.length > 0) screen.say({ text: 'the examples were applied', aside })
      for (const { object, error } of applied) {
        if (error !== undefined) screen.say({ text: `${object} was not applied: ${error}`, tone: 'bad' })
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      screen.say({ text: error.message, tone: 'bad' })
    }
  }
}

/** What the operator's program finds in its environment: the server, and how to write its log. */
function operatorEnv({ terminal, server, project, logLevel }: SessionOptions): Terminal['env'] {
  const hasColours = terminal.columns !== undefined && !terminal.env.NO_COLOR
  return {
    // Halves the processor time of a restart.
    NODE_COMPILE_CACHE: join(project.state, 'compile-cache'),
    ...terminal.env,
    KUBECONFIG: server.kubeconfig,
    HOMEOSTAT_LOG_LEVEL: logLevel,
    ...(hasColours && { FORCE_COLOR: '1' }),
  }
}
