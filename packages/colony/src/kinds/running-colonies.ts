// The colonies of a server: one of all namespaces, or on a shared store one of each shard that this server leads. Calls and
// rules find theirs here, and calls wait for one that starts.

import { shardOf } from '@homeostat/apiserver'
import { type Clock, Waiters } from '@homeostat/base'
import { serviceUnavailable } from '@homeostat/meta/server'
import type { ExecutorCalls } from './calls.ts'
import type { RuleParts } from './rule-parts.ts'

/** How long a request that wakes the colony waits for its start. */
const START_MS = 10_000

/** The number of a shard; undefined: the colony of all namespaces. */
type Shard = number | undefined

export class RunningColonies {
  readonly #running = new Map<Shard, ExecutorCalls & RuleParts>()
  readonly #waiters = new Waiters()
  readonly #clock: Clock
  /** How many colonies have ended. */
  #ended = 0
  #isEnding = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * `signal` aborts when the colony ends. The returned function takes it out; one of a shard is out as soon as the signal aborts, since
   * this server may lead the shard again before the last write of the former term is done.
   */
  add(shard: Shard, colony: ExecutorCalls & RuleParts, signal: AbortSignal): () => void {
    const added = shard === undefined ? colony : endingWith(colony, signal)
    const remove = () => {
      if (this.#running.get(shard) !== added) return
      this.#running.delete(shard)
      this.#ended++
      this.#isEnding = shard === undefined && signal.aborted
      this.#waiters.notify()
    }
    // It was long in starting, and another term may have begun.
    if (shard !== undefined && signal.aborted) return remove
    this.#running.set(shard, added)
    this.#waiters.notify()
    if (shard !== undefined) signal.addEventListener('abort', remove, { once: true })
    return remove
  }

  of(namespace: string): ExecutorCalls | Promise<ExecutorCalls> {
    if (this.#isEnding) throw serviceUnavailable('the server ends; call another one, or try again')
    return this.#find(namespace) ?? this.#started(namespace)
  }

  /** Undefined before any colony has started. */
  get rules(): RuleParts | undefined {
    return this.#running.get(undefined) ?? this.#rulesOfShards()
  }

  /** Of a namespace that another server leads nothing is claimed; parts are read by name, which each colony can. */
  #rulesOfShards(): RuleParts | undefined {
    const [any] = this.#running.values()
    return (
      any && {
        findPart: any.findPart,
        claim: (process) => this.#find(process.metadata.namespace ?? '')?.claim(process),
      }
    )
  }

  #find(namespace: string): (ExecutorCalls & RuleParts) | undefined {
    return this.#running.get(undefined) ?? this.#running.get(shardOf(namespace))
  }

  async #started(namespace: string): Promise<ExecutorCalls> {
    const ended = this.#ended
    const late = new AbortController()
    const cancelTimer = this.#clock.setTimer(START_MS, () => late.abort())
    try {
      for (;;) {
        const found = this.#find(namespace)
        if (found !== undefined) return found
        if (late.signal.aborted || this.#ended !== ended)
          throw serviceUnavailable('the colony did not start in time; try again')
        await this.#waiters.wait(late.signal)
      }
    } finally {
      cancelTimer()
    }
  }
}

/** Long calls end with the colony: they go on where the shard is led then. */
function endingWith(colony: ExecutorCalls & RuleParts, signal: AbortSignal): ExecutorCalls & RuleParts {
  const both = (of: AbortSignal) => AbortSignal.any([of, signal])
  return {
    ...colony,
    assign: (request, user, own) => colony.assign(request, user, both(own)),
    readLog: (request, own) => colony.readLog(request, both(own)),
  }
}
