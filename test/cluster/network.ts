// What the servers of a cluster share: the history that is true, the time, and the chances of what goes wrong between them.

import { MemoryStore, type MemoryStoreOptions } from '@homeostat/store'
import { type Random, randomFrom } from '../crash/random.ts'
import type { Faults } from './faults.ts'
import { Schedule } from './schedule.ts'

export class Network {
  readonly schedule = new Schedule()
  readonly random: Random
  /** What is committed, whoever knows of it. */
  readonly truth: MemoryStore
  faults: Faults

  constructor(seed: number, faults: Faults, truth: Omit<MemoryStoreOptions, 'shared'>) {
    this.random = randomFrom(seed)
    this.faults = faults
    // Not 1, 2, 3, as of an engine that counts other things, too.
    this.truth = new MemoryStore({ start: 900, next: (last) => last + 1 + (last % 3), ...truth, shared: true })
  }

  /** Whether the chance comes true this time. */
  happens(chance: number): boolean {
    return chance > 0 && this.random.between(0, 10_000) < chance * 10_000
  }

  /** A message is under way. */
  transit(): Promise<void> {
    return this.schedule.pause(this.random.between(0, this.faults.delayMs + 1))
  }

  /** Writes a key once more as it is, as somebody whom no server knows: whoever holds it as a fence loses it. */
  async touch(key: string): Promise<void> {
    const current = await this.truth.get(key)
    if (current?.value === undefined) return
    await this.truth.put(key, current.value, current, { time: 0, user: 'somebody', manager: 'touch', minor: true })
  }
}
