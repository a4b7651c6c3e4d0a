// The colonies of a server: one of all namespaces, or on a shared store one of each shard that this server leads. Calls and
// rules find theirs here, and calls wait for one that starts.

import { shardOf } from '@homeostat/apiserver'
import { Waiters } from '@homeostat/base'
import type { Colony } from '@homeostat/colony'
import type { ExecutorCalls, RuleParts } from '@homeostat/colony/kinds'
import { serviceUnavailable } from '@homeostat/meta/server'

/** How long a request that wakes the colony waits for its start. */
const START_MS = 10_000

/** The number of a shard; undefined: the colony of all namespaces. */
type Shard = number | undefined

export class RunningColonies {
  readonly #running = new Map<Shard, ExecutorCalls & RuleParts>()
  readonly #waiters = new Waiters()
  /** How many colonies have ended. */
  #ended = 0
  #isEnding = false

  /** `signal` aborts when the colony ends. */
  add(shard: Shard, colony: Colony, signal: AbortSignal): void {
    this.#running.set(shard, shard === undefined ? colony : endingWith(colony, signal))
    this.#waiters.notify()
  }

  remove(shard: Shard, isEnding: boolean): void {
    this.#running.delete(shard)
    this.#ended++
    this.#isEnding = shard === undefined && isEnding
    this.#waiters.notify()
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
    const timer = setTimeout(() => late.abort(), START_MS)
    try {
      for (;;) {
        const found = this.#find(namespace)
        if (found !== undefined) return found
        if (late.signal.aborted || this.#ended !== ended)
          throw serviceUnavailable('the colony did not start in time; try again')
        await this.#waiters.wait(late.signal)
      }
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Long calls end with the colony: they go on where the shard is led then. */
function endingWith(colony: Colony, signal: AbortSignal): ExecutorCalls & RuleParts {
  const both = (of: AbortSignal) => AbortSignal.any([of, signal])
  return {
    ...colony,
    assign: (request, user, own) => colony.assign(request, user, both(own)),
    readLog: (request, own) => colony.readLog(request, both(own)),
  }
}
