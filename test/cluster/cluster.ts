// A cluster in one process: one history in memory, and for each server a store that shows it as an engine elsewhere would, late
// and with faults. Deterministic by its seed. Tests of several servers use it; `view` is what a server gets as its store.

import type { TypeRules } from '@homeostat/apiserver'
import type { Clock } from '@homeostat/base'
import type { MemoryStoreOptions } from '@homeostat/store'
import { CALM, type Faults } from './faults.ts'
import { Network } from './network.ts'
import { ServerView } from './server-view.ts'

export interface ClusterOptions {
  readonly seed?: number
  /** Default: none, and everything takes a few milliseconds. */
  readonly faults?: Faults
  /** Of the history that all servers share. */
  readonly truth?: Omit<MemoryStoreOptions, 'shared'>
  /** Whether servers disagree on the time of day. Default true. */
  readonly isSkewed?: boolean
  /** What a server with this id adds to the rules of kinds. */
  rules?(clock: Clock, id: string): readonly TypeRules[]
}

export class Cluster {
  readonly network: Network
  readonly #views = new Set<ServerView>()

  readonly isSkewed: boolean
  readonly rules: NonNullable<ClusterOptions['rules']>

  constructor({ seed = 1, faults = CALM, truth = {}, isSkewed = true, rules = () => [] }: ClusterOptions = {}) {
    this.isSkewed = isSkewed
    this.rules = rules
    this.network = new Network(seed, faults, truth)
  }

  /** Opens the store of a server, as its start does. */
  async view(name: string): Promise<ServerView> {
    const view = new ServerView(name, this.network, await this.network.truth.revision())
    this.#views.add(view)
    return view
  }

  async close(): Promise<void> {
    await Promise.all([...this.#views].map((view) => view.close()))
    await this.network.truth.close()
  }
}
