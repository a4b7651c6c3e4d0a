// The driver that runs units as containers of a Docker engine on this machine. Containers outlive it: the next driver with
// the same owner finds them by their labels. It keeps nothing on disk; the engine is the source of truth.

import type { ExecResult, LogOptions, PullPolicy, Runtime, Unit, UnitState } from '../runtime.ts'
import { hasLabels } from '../unit-labels.ts'
import { containerLog } from './container-log.ts'
import { checkedOwner, containerName, containerSpec, labelFilter } from './container-spec.ts'
import { type Container, stateOf } from './container-state.ts'
import { ContainerWatch } from './container-watch.ts'
import { Engine, EngineError, isRefusal } from './engine.ts'
import { engineSocket } from './engine-socket.ts'
import { execIn } from './exec-in.ts'
import { Images } from './images.ts'
import { startProblem } from './start-problem.ts'

export interface DockerRuntimeOptions {
  /** The engine's unix socket. Default: DOCKER_HOST, else /var/run/docker.sock. */
  readonly socket?: string
  /** The owner of the containers: the prefix of their names; separates several drivers on one engine. Default `homeostat`. */
  readonly owner?: string
  /** The policy of units without one. Default `IfNotPresent`. */
  readonly pullPolicy?: PullPolicy
  /** How long a pull may take. Default 10 minutes. */
  readonly pullTimeoutMs?: number
  /** Called with the progress of a pull. */
  readonly onPull?: (image: string, step: string) => void
  /** Called once when the engine becomes unreachable; the driver retries. */
  readonly onProblem?: (error: Error) => void
  /** The size at which a log file is rotated. Default 10 MiB. */
  readonly logLimitBytes?: number
  /** The limit on units. Default 1000. */
  readonly maxUnits?: number
}

/** Does not connect to the engine; calls that need it reject if it is not there. */
export async function openDockerRuntime(options: DockerRuntimeOptions = {}): Promise<Runtime> {
  const engine = new Engine(engineSocket(options.socket, process.env.DOCKER_HOST))
  return new DockerRuntime(engine, checkedOwner(options.owner ?? 'homeostat'), options)
}

/** Attempts of a start: other programs may create or remove the same container in between. */
const TRIES = 5
const GONE_MS = 30_000
const KILLED_MS = 30_000
const INSPECTS_AT_ONCE = 8

class DockerRuntime implements Runtime {
  readonly name = 'docker'
  readonly simulated = false
  readonly #engine: Engine
  readonly #owner: string
  readonly #options: DockerRuntimeOptions
  readonly #images: Images
  readonly #watch: ContainerWatch
  readonly #watchers = new Set<(state: UnitState) => void>()
  readonly #starting = new Map<string, Promise<string>>()
  readonly #stopping = new Map<string, { readonly unit: string; readonly done: Promise<void> }>()
  readonly #closing = new AbortController()
  #problem = ''

  constructor(engine: Engine, owner: string, options: DockerRuntimeOptions) {
    const { pullTimeoutMs = 10 * 60_000, onPull = () => {} } = options
    this.#engine = engine
    this.#owner = owner
    this.#options = options
    this.#images = new Images(engine, { pullTimeoutMs, onPull })
    this.#watch = new ContainerWatch(engine, {
      owner,
      onState: (state) => {
        for (const onChange of this.#watchers) onChange(state)
      },
      onUnstarted: (id, unit) => this.#withdraw(id, unit),
      onProblem: (error) => this.#tellProblem(error),
      onConnected: () => {
        this.#problem = ''
      },
    })
  }

  async list(labels: Readonly<Record<string, string>>): Promise<UnitState[]> {
    const filters = JSON.stringify({ label: labelFilter(this.#owner, labels) })
    const found = await this.#engine.call<{ Id: string }[]>('GET', '/containers/json', { query: { all: 1, filters } })
    const left = found.map(({ Id }) => Id)
    const states: UnitState[] = []
    const worker = async () => {
      for (let id = left.shift(); id !== undefined; id = left.shift()) {
        const state = await this.#state(id)
        if (state && this.#isShown(state) && hasLabels(state, labels)) states.push(state)
      }
    }
    await Promise.all(Array.from({ length: Math.min(INSPECTS_AT_ONCE, left.length) }, worker))
    return states
  }

  async start(unit: Unit): Promise<string> {
    this.#throwIfClosed()
    for (const stopping of this.#stopping.values()) if (stopping.unit === unit.name) await stopping.done
    const current = this.#starting.get(unit.name)
    if (current !== undefined) return current
    const starting = this.#start(unit).finally(() => this.#starting.delete(unit.name))
    this.#starting.set(unit.name, starting)
    return starting
  }

  async stop(id: string, options: { readonly graceSeconds?: number } = {}): Promise<void> {
    const stopping = this.#stopping.get(id)
    if (stopping) {
      if (options.graceSeconds === 0) await this.#kill(id)
      return stopping.done
    }
    const container = await this.#inspect(id)
    const state = container && stateOf(container, this.#owner)
    if (!container || !state) return
    const again = this.#stopping.get(container.Id)
    if (again) return this.stop(container.Id, options)
    const grace = options.graceSeconds ?? container.Config.StopTimeout ?? 30
    const done = this.#stop(container, state, Math.ceil(grace)).finally(() => this.#stopping.delete(container.Id))
    this.#stopping.set(container.Id, { unit: state.name, done })
    return done
  }

  async *logs(id: string, options: LogOptions = {}): AsyncIterable<Uint8Array> {
    const state = await this.#state(id)
    if (!state) throw new Error(`the docker runtime knows no unit ${id}`)
    const signal = AbortSignal.any([this.#closing.signal, ...(options.signal ? [options.signal] : [])])
    yield* containerLog(this.#engine, state.id, { ...options, signal })
  }

  async exec(id: string, command: readonly string[], signal: AbortSignal): Promise<ExecResult> {
    if (!(await this.#state(id))) throw new Error(`the docker runtime knows no unit ${id}`)
    return execIn(this.#engine, id, command, AbortSignal.any([this.#closing.signal, signal]))
  }

  watch(onChange: (state: UnitState) => void): () => void {
    this.#watchers.add(onChange)
    return () => this.#watchers.delete(onChange)
  }

  /** Containers keep running. */
  async close(): Promise<void> {
    this.#watchers.clear()
    this.#closing.abort()
    await this.#watch.close()
    await Promise.allSettled(this.#starting.values())
  }

  async #start(unit: Unit): Promise<string> {
    const name = containerName(this.#owner, unit.name)
    const spec = containerSpec(unit, this.#owner, this.#options.logLimitBytes ?? 10 * 1024 * 1024)
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const there = await this.#inspect(name)
      const known = there && stateOf(there, this.#owner)
      if (there && !known) {
        throw new Error(`a container named ${name} is there and is not ${this.#owner}'s: docker rm it, or rename it`)
      }
      if (there?.State.Status === 'removing' || there?.State.Status === 'dead') {
        await this.#remove(there.Id)
        continue
      }
      if (known && known.phase !== 'starting') return known.id
      const id = known?.id ?? (await this.#create(unit, name, spec))
      if (id === undefined || !(await this.#begin(id, spec.Image))) continue
      // Counts the container at once; the start succeeds even if this fails.
      await this.#watch.look(id).catch(() => {})
      return id
    }
    throw new Error(`container ${name} is made and removed by somebody else at the same time: try again`)
  }

  /** Undefined when another program has created it first. */
  async #create(unit: Unit, name: string, spec: object): Promise<string | undefined> {
    const { image = '' } = unit
    const { maxUnits = 1000 } = this.#options
    // `#starting` includes this unit.
    if (this.#watch.size + this.#starting.size > maxUnits) {
      throw new Error(`the docker runtime has ${maxUnits} units already`)
    }
    await this.#images.ensure(
      image,
      unit.pullPolicy ?? this.#options.pullPolicy ?? 'IfNotPresent',
      this.#closing.signal,
      unit.registryLogin,
    )
    this.#throwIfClosed()
    try {
      const made = await this.#engine.call<{ Id: string }>('POST', '/containers/create', {
        query: { name },
        body: spec,
      })
      return made.Id
    } catch (error) {
      if (isRefusal(error, 409)) return undefined
      if (error instanceof EngineError) throw new Error(startProblem(image, error.message), { cause: error })
      throw error
    }
  }

  /** False when the container was removed meanwhile. A container that cannot be started is removed. */
  async #begin(id: string, image: string): Promise<boolean> {
    try {
      await this.#engine.call('POST', `/containers/${id}/start`)
      return true
    } catch (error) {
      const container = await this.#inspect(id)
      if (!container) return false
      if (!(error instanceof EngineError)) throw error
      await this.#remove(id)
      throw new Error(startProblem(image, error.message), { cause: error })
    }
  }

  async #stop({ Id: id, State }: Container, { phase }: UnitState, graceSeconds: number): Promise<void> {
    if (State.Paused === true) await this.#ask('POST', `/containers/${id}/unpause`)
    if (phase === 'running' && graceSeconds > 0) {
      const timeoutMs = graceSeconds * 1000 + KILLED_MS
      await this.#ask('POST', `/containers/${id}/stop`, { query: { t: graceSeconds }, timeoutMs })
    } else if (phase === 'running') {
      await this.#kill(id)
      await this.#ask('POST', `/containers/${id}/wait`, { timeoutMs: KILLED_MS })
    }
    await this.#watch.look(id)
    await this.#remove(id)
  }

  async #kill(id: string): Promise<void> {
    await this.#ask('POST', `/containers/${id}/kill`, { query: { signal: 'KILL' } })
  }

  /** Waits until the container is removed, also if another program removes it. */
  async #remove(id: string): Promise<void> {
    await this.#ask('DELETE', `/containers/${id}`, { query: { force: 1, v: 1 } })
    const query = { condition: 'removed' }
    if (await this.#inspect(id)) await this.#ask('POST', `/containers/${id}/wait`, { query, timeoutMs: GONE_MS })
  }

  /** Removes a container whose start was never reported. Without force, so that one that was started meanwhile stays. */
  async #withdraw(id: string, unit: string): Promise<void> {
    if (!this.#starting.has(unit)) await this.#ask('DELETE', `/containers/${id}`, { query: { v: 1 } })
  }

  /** A container that is gone (404) or already in the wanted state (409) is no error. */
  async #ask(
    method: string,
    path: string,
    options: { readonly query?: Record<string, string | number>; readonly timeoutMs?: number } = {},
  ): Promise<void> {
    try {
      await this.#engine.call(method, path, { ...options, signal: this.#closing.signal })
    } catch (error) {
      this.#throwIfClosed()
      if (!isRefusal(error, 404, 409)) throw error
    }
  }

  async #inspect(name: string): Promise<Container | undefined> {
    try {
      return await this.#engine.call<Container>('GET', `/containers/${encodeURIComponent(name)}/json`)
    } catch (error) {
      if (isRefusal(error, 404)) return undefined
      throw error
    }
  }

  async #state(id: string): Promise<UnitState | undefined> {
    const container = await this.#inspect(id)
    return container && stateOf(container, this.#owner)
  }

  /** Hides containers that an earlier driver created and never started: they are removed, or started by the next `start`. */
  #isShown({ phase, name }: UnitState): boolean {
    return phase !== 'starting' || this.#starting.has(name)
  }

  #throwIfClosed(): void {
    if (this.#closing.signal.aborted) throw new Error('the docker runtime is closed')
  }

  #tellProblem(error: unknown): void {
    const problem = error instanceof Error ? error : new Error(String(error))
    if (problem.message !== this.#problem) this.#options.onProblem?.(problem)
    this.#problem = problem.message
  }
}
