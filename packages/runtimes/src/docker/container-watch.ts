// Watches an owner's containers and reports their states. An event only triggers an inspection of its container, and after
// a lost connection all containers are inspected, so that the last state is never missed.

import { setTimeout as delay } from 'node:timers/promises'
import type { UnitState } from '../runtime.ts'
import { labelFilter } from './container-spec.ts'
import { type Container, type ContainerEvent, removedState, stateOf, stateOfEnd } from './container-state.ts'
import { type Engine, isRefusal } from './engine.ts'
import { jsonLines } from './json-lines.ts'

export interface ContainerWatchOptions {
  readonly owner: string
  readonly onState: (state: UnitState) => void
  /** Called for a container that an earlier driver created and never started. */
  readonly onUnstarted: (id: string, unit: string) => Promise<void>
  /** Called when the connection is lost or cannot be made; the watch retries. */
  readonly onProblem: (error: unknown) => void
  readonly onConnected: () => void
}

interface Look {
  readonly done: Promise<void>
  /** The following inspection: this one may have read an older state. */
  next: Promise<void> | undefined
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5000
const LOOKS_AT_ONCE = 8

export class ContainerWatch {
  readonly #engine: Engine
  readonly #options: ContainerWatchOptions
  readonly #closing = new AbortController()
  /** The last reported state by id; dropped with the container. */
  readonly #told = new Map<string, UnitState>()
  readonly #looks = new Map<string, Look>()
  readonly #done: Promise<void>

  constructor(engine: Engine, options: ContainerWatchOptions) {
    this.#engine = engine
    this.#options = options
    this.#done = this.#run()
  }

  /** The number of known containers. */
  get size(): number {
    return this.#told.size
  }

  /** Inspects a container after this call, and reports its state if it is new. */
  look(id: string, end?: UnitState): Promise<void> {
    const current = this.#looks.get(id)
    if (current) {
      current.next ??= current.done.catch(() => {}).then(() => this.look(id, end))
      return current.next
    }
    const look: Look = { done: this.#read(id, end).finally(() => this.#looks.delete(id)), next: undefined }
    this.#looks.set(id, look)
    return look.done
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#done
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    let pause = FIRST_PAUSE_MS
    while (!signal.aborted) {
      try {
        await this.#follow(() => {
          pause = FIRST_PAUSE_MS
          this.#options.onConnected()
        })
      } catch (error) {
        if (!signal.aborted) this.#options.onProblem(error)
      }
      this.#engine.forgetVersion()
      await delay(pause, undefined, { signal, ref: false }).catch(() => {})
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
    }
  }

  async #follow(onConnected: () => void): Promise<void> {
    const { signal } = this.#closing
    const filters = JSON.stringify({
      type: ['container'],
      event: ['start', 'die', 'destroy', 'pause', 'unpause'],
      label: labelFilter(this.#options.owner),
    })
    const stream = await this.#engine.stream('GET', '/events', { query: { filters }, signal })
    try {
      await this.#lookAtAll()
      onConnected()
      for await (const event of jsonLines<ContainerEvent>(stream)) this.#hear(event)
    } finally {
      stream.destroy()
    }
  }

  /** Inspects all containers, for changes before the first event. */
  async #lookAtAll(): Promise<void> {
    const filters = JSON.stringify({ label: labelFilter(this.#options.owner) })
    const { signal } = this.#closing
    const all = await this.#engine.call<{ Id: string }[]>('GET', '/containers/json', {
      query: { all: 1, filters },
      signal,
    })
    const ids = new Set([...all.map(({ Id }) => Id), ...this.#told.keys()])
    const left = [...ids]
    const worker = async () => {
      for (let id = left.pop(); id !== undefined && !signal.aborted; id = left.pop()) await this.look(id)
    }
    await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, worker))
  }

  #hear(event: ContainerEvent): void {
    const id = event.Actor?.ID
    if (id === undefined) return
    const end = event.Action === 'die' ? stateOfEnd(event, this.#options.owner) : undefined
    this.look(id, end).catch((error) => {
      if (!this.#closing.signal.aborted) this.#options.onProblem(error)
    })
  }

  async #read(id: string, end: UnitState | undefined): Promise<void> {
    const { owner, onUnstarted } = this.#options
    let container: Container
    try {
      const { signal } = this.#closing
      container = await this.#engine.call<Container>('GET', `/containers/${id}/json`, { signal })
    } catch (error) {
      if (!isRefusal(error, 404)) throw error
      this.#gone(id, end)
      return
    }
    const state = stateOf(container, owner)
    if (state?.phase === 'starting') await onUnstarted(id, state.name)
    else if (state) this.#tell(state)
  }

  #gone(id: string, end: UnitState | undefined): void {
    const last = this.#told.get(id)
    if (last ? last.phase !== 'exited' : end !== undefined) {
      const state = end ?? (last && removedState(last, Date.now()))
      if (state) this.#options.onState(state)
    }
    this.#told.delete(id)
  }

  #tell(state: UnitState): void {
    const last = this.#told.get(state.id)
    this.#told.set(state.id, state)
    if (JSON.stringify(last) !== JSON.stringify(state)) this.#options.onState(state)
  }
}
