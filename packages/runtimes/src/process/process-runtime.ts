// The driver that runs units as processes of this machine, as the current user. Units outlive it: the next driver on the
// same folder finds those that run and those that ended meanwhile. Only one may be open on a folder.

import { chmod, mkdir, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { readLog } from '../log/read-log.ts'
import type { LogOptions, Runtime, Unit, UnitState } from '../runtime.ts'
import { hasLabels } from '../unit-labels.ts'
import { checkedUnit } from './checked-unit.ts'
import { GONE, ProcessUnit } from './process-unit.ts'
import { FILES } from './unit-folder.ts'

export interface ProcessRuntimeOptions {
  /** The folder of the units, with their environment and output; readable for this user alone. */
  readonly directory: string
  /** The size at which a log file is rotated. Default 10 MiB. */
  readonly logLimitBytes?: number
  /** The limit on units. Default 1000. */
  readonly maxUnits?: number
  /** How often the driver polls units that an earlier driver started. Default 250 ms. */
  readonly lookEveryMs?: number
}

export async function openProcessRuntime(options: ProcessRuntimeOptions): Promise<Runtime> {
  const directory = resolve(options.directory)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await chmod(directory, 0o700)
  const units: ProcessUnit[] = []
  for (const name of await readdir(directory)) {
    const folder = join(directory, name)
    if (name.startsWith(GONE)) {
      await rm(folder, { recursive: true, force: true })
      continue
    }
    const unit = await ProcessUnit.find(folder)
    if (unit) units.push(unit)
  }
  return new ProcessRuntime(directory, options, units)
}

class ProcessRuntime implements Runtime {
  readonly name = 'process'
  readonly simulated = false
  readonly #directory: string
  readonly #logLimitBytes: number
  readonly #maxUnits: number
  readonly #units = new Map<string, ProcessUnit>()
  readonly #starting = new Map<string, Promise<ProcessUnit>>()
  readonly #stopping = new Map<string, Promise<void>>()
  readonly #watchers = new Set<(state: UnitState) => void>()
  readonly #told = new WeakMap<ProcessUnit, UnitState>()
  readonly #closing = new AbortController()
  readonly #timer: NodeJS.Timeout
  #looking = false

  constructor(directory: string, options: ProcessRuntimeOptions, found: readonly ProcessUnit[]) {
    this.#directory = directory
    this.#logLimitBytes = options.logLimitBytes ?? 10 * 1024 * 1024
    this.#maxUnits = options.maxUnits ?? 1000
    for (const unit of found) this.#units.set(unit.state.id, unit)
    this.#timer = setInterval(() => void this.#look(), options.lookEveryMs ?? 250).unref()
  }

  async list(labels: Readonly<Record<string, string>>): Promise<UnitState[]> {
    await Promise.all([...this.#units.values()].filter(({ foreign }) => foreign).map((unit) => this.#lookAt(unit)))
    return [...this.#units.values()].map(({ state }) => state).filter((state) => hasLabels(state, labels))
  }

  async start(unit: Unit): Promise<string> {
    if (this.#closing.signal.aborted) throw new Error('the process runtime is closed')
    await this.#stopping.get(unit.name)
    if (this.#units.has(unit.name)) return unit.name
    let starting = this.#starting.get(unit.name)
    if (!starting) {
      if (this.#units.size + this.#starting.size >= this.#maxUnits) {
        throw new Error(`the process runtime has ${this.#maxUnits} units already`)
      }
      const folder = join(this.#directory, unit.name)
      const checked = checkedUnit(unit, join(folder, FILES.work), this.#logLimitBytes)
      starting = ProcessUnit.start(folder, checked, (ended) => this.#tell(ended)).finally(() =>
        this.#starting.delete(unit.name),
      )
      this.#starting.set(unit.name, starting)
    }
    const started = await starting
    if (!this.#units.has(unit.name)) {
      this.#units.set(unit.name, started)
      this.#tell(started)
    }
    return unit.name
  }

  async stop(id: string, options: { readonly graceSeconds?: number } = {}): Promise<void> {
    await this.#starting.get(id)?.catch(() => {})
    const unit = this.#units.get(id)
    if (!unit) return
    const stopping = this.#stopping.get(id)
    if (stopping !== undefined) {
      if (options.graceSeconds === 0) unit.kill()
      return stopping
    }
    const stopped = unit
      .stop(options.graceSeconds ?? unit.graceSeconds)
      .then(() => {
        this.#units.delete(id)
        this.#tell(unit)
      })
      .finally(() => this.#stopping.delete(id))
    this.#stopping.set(id, stopped)
    return stopped
  }

  async *logs(id: string, options: LogOptions = {}): AsyncIterable<Uint8Array> {
    await this.#starting.get(id)?.catch(() => {})
    const unit = this.#units.get(id)
    if (!unit) throw new Error(`the process runtime knows no unit ${id}`)
    const signal = AbortSignal.any([this.#closing.signal, ...(options.signal ? [options.signal] : [])])
    yield* readLog(unit.folder, { ...options, signal }, () => unit.ended)
  }

  watch(onChange: (state: UnitState) => void): () => void {
    this.#watchers.add(onChange)
    return () => this.#watchers.delete(onChange)
  }

  /** Units keep running. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#watchers.clear()
    this.#closing.abort()
    await Promise.allSettled(this.#starting.values())
  }

  async #look(): Promise<void> {
    if (this.#looking) return
    this.#looking = true
    try {
      for (const unit of this.#units.values()) if (unit.foreign) await this.#lookAt(unit)
    } catch {
      // A file that cannot be read now is read the next time, and `list` throws the error.
    } finally {
      this.#looking = false
    }
  }

  async #lookAt(unit: ProcessUnit): Promise<void> {
    if (await unit.look()) this.#tell(unit)
  }

  /** Reports an end once, though both a stop and a poll may find it. */
  #tell(unit: ProcessUnit): void {
    if (this.#told.get(unit) === unit.state) return
    this.#told.set(unit, unit.state)
    for (const onChange of this.#watchers) onChange(unit.state)
  }
}
