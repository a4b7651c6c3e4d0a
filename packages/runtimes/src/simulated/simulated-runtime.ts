// The driver that simulates units: they become `running` after a moment and end as their directive says. For trials and
// tests. It never starts a process, and every log says so.

import { type Clock, systemClock } from '@homeostat/base'
import { LogPrinter } from '../log/log-printer.ts'
import type { LogRecord } from '../log/log-record.ts'
import type { LogOptions, Runtime, Unit, UnitState } from '../runtime.ts'
import { hasLabels } from '../unit-labels.ts'
import { DIRECTIVE_VARIABLE, type Directive, parseDirective } from './directive.ts'

export interface SimulatedRuntimeOptions {
  /** Default: the system's clock. */
  readonly clock?: Clock
  /** Between start and running. Default 20 ms. */
  readonly startDelayMs?: number
  /** How long a unit with `endsByItself` runs. Default 1 s. */
  readonly runMs?: number
  /** The limit on units. Default 10,000. */
  readonly maxUnits?: number
}

interface Simulated {
  state: UnitState
  readonly directive: Directive
  readonly graceSeconds: number
  readonly log: LogRecord[]
  /** Called when there is more to read, or the end. */
  readonly readers: Set<() => void>
  cancelTimer: () => void
}

export class SimulatedRuntime implements Runtime {
  readonly name = 'simulated'
  readonly simulated = true
  readonly #clock: Clock
  readonly #startDelayMs: number
  readonly #runMs: number
  readonly #maxUnits: number
  readonly #units = new Map<string, Simulated>()
  readonly #watchers = new Set<(state: UnitState) => void>()
  #closed = false

  constructor({
    clock = systemClock,
    startDelayMs = 20,
    runMs = 1000,
    maxUnits = 10_000,
  }: SimulatedRuntimeOptions = {}) {
    this.#clock = clock
    this.#startDelayMs = startDelayMs
    this.#runMs = runMs
    this.#maxUnits = maxUnits
  }

  async list(labels: Readonly<Record<string, string>>): Promise<UnitState[]> {
    return [...this.#units.values()].map(({ state }) => state).filter((state) => hasLabels(state, labels))
  }

  async start(unit: Unit): Promise<string> {
    if (this.#closed) throw new Error('the simulated runtime is closed')
    if (this.#units.has(unit.name)) return unit.name
    if (this.#units.size >= this.#maxUnits) throw new Error(`the simulated runtime has ${this.#maxUnits} units already`)
    const otherwise = unit.endsByItself ? { act: 'exit' as const, code: 0, afterMs: this.#runMs } : undefined
    const directive = parseDirective(unit.env?.[DIRECTIVE_VARIABLE], otherwise)
    if (directive.act === 'fail') throw new Error(directive.message)
    const simulated: Simulated = {
      state: { id: unit.name, name: unit.name, labels: unit.labels, phase: 'starting' },
      directive,
      graceSeconds: unit.graceSeconds ?? 30,
      log: [],
      readers: new Set(),
      cancelTimer: this.#clock.setTimer(this.#startDelayMs, () => this.#run(simulated)),
    }
    this.#units.set(unit.name, simulated)
    const command = [...(unit.command ?? []), ...(unit.args ?? [])].join(' ')
    const what = [unit.image, command].filter((part) => part).join(' ')
    this.#say(simulated, `simulated: nothing really runs here; this stands for: ${what || 'nothing in particular'}`)
    return unit.name
  }

  async stop(id: string, options: { readonly graceSeconds?: number } = {}): Promise<void> {
    const unit = this.#units.get(id)
    if (!unit) return
    if (unit.state.phase !== 'exited') {
      const grace = options.graceSeconds ?? unit.graceSeconds
      const stubborn = unit.directive.act === 'stubborn'
      if (stubborn && grace > 0) await new Promise<void>((done) => this.#clock.setTimer(grace * 1000, done))
      this.#end(unit, stubborn ? 137 : 143, 'stopped')
    }
    this.#units.delete(id)
  }

  async *logs(id: string, options: LogOptions = {}): AsyncIterable<Uint8Array> {
    const unit = this.#units.get(id)
    if (!unit) throw new Error(`the simulated runtime knows no unit ${id}`)
    const printer = new LogPrinter(options)
    let next = Math.max(0, unit.log.length - (options.tailLines ?? unit.log.length))
    while (!printer.full && !options.signal?.aborted) {
      const record = unit.log[next]
      if (record) {
        next++
        const bytes = printer.print(record)
        if (bytes.length > 0) yield bytes
      } else if (options.follow !== true || unit.state.phase === 'exited' || this.#closed) return
      else await this.#more(unit, options.signal)
    }
  }

  watch(onChange: (state: UnitState) => void): () => void {
    this.#watchers.add(onChange)
    return () => this.#watchers.delete(onChange)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#watchers.clear()
    for (const unit of this.#units.values()) {
      unit.cancelTimer()
      for (const read of unit.readers) read()
    }
  }

  #run(unit: Simulated): void {
    const { directive } = unit
    if (directive.act === 'exit') {
      unit.cancelTimer = this.#clock.setTimer(directive.afterMs, () =>
        this.#end(unit, directive.code, directive.code === 0 ? 'Completed' : 'Error'),
      )
    }
    this.#change(unit, { phase: 'running', startedAt: this.#clock.now() })
  }

  #end(unit: Simulated, exitCode: number, reason: string): void {
    if (unit.state.phase === 'exited') return
    unit.cancelTimer()
    this.#say(unit, `simulated: ended with exit code ${exitCode}`)
    this.#change(unit, { phase: 'exited', finishedAt: this.#clock.now(), exitCode, reason })
  }

  #change(unit: Simulated, fields: Partial<UnitState>): void {
    unit.state = { ...unit.state, ...fields }
    for (const read of unit.readers) read()
    for (const onChange of this.#watchers) onChange(unit.state)
  }

  #say(unit: Simulated, text: string): void {
    unit.log.push({ at: this.#clock.now(), text: Buffer.from(text), partial: false })
  }

  async #more(unit: Simulated, signal: AbortSignal | undefined): Promise<void> {
    let wake = () => {}
    const woken = new Promise<void>((resolve) => {
      wake = resolve
    })
    unit.readers.add(wake)
    signal?.addEventListener('abort', wake, { once: true })
    await woken
    signal?.removeEventListener('abort', wake)
    unit.readers.delete(wake)
  }
}
