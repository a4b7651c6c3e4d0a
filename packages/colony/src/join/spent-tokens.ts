// Deletes bootstrap tokens that let nobody in any more, an hour after: until then whoever tries is told why. Their
// accounts and rights go with them.

import type { Api } from '@homeostat/apiserver'
import type { Clock, Log } from '@homeostat/base'
import type { BootstrapToken } from '@homeostat/executor/protocol'
import { isStatusError } from '@homeostat/meta'
import { BOOTSTRAP_TOKENS } from '../kinds/resources.ts'
import { followObjects, keyOfChange } from '../state/follow-objects.ts'
import type { BackgroundWrites } from '../time/background-writes.ts'
import type { TimedWork } from '../time/shared-timer.ts'

export interface SpentTokenParts {
  readonly api: Api
  readonly clock: Clock
  readonly log: Log
  readonly writes: BackgroundWrites
  /** Called when another one is due first. */
  update(): void
}

interface Planned {
  readonly uid: string | undefined
  readonly at: number
  readonly isUsedUp: boolean
}

const KEPT_MS = 3_600_000
const RETRY_MS = 60_000

export class SpentTokens implements TimedWork {
  readonly #parts: SpentTokenParts
  /** By namespace and name; one for each token that is there. */
  readonly #planned = new Map<string, Planned>()
  readonly #stops: (() => void)[] = []

  constructor(parts: SpentTokenParts) {
    this.#parts = parts
  }

  async open(): Promise<void> {
    const { api, log, update } = this.#parts
    await followObjects(api, BOOTSTRAP_TOKENS, {
      read: (change) => {
        const key = keyOfChange(change)
        if (change.object === undefined) this.#planned.delete(key)
        else this.#plan(key)
        update()
      },
      unreadable: (key, error) => log.warn({ err: error, bootstrapToken: key }, 'a bootstrap token cannot be read'),
      stops: this.#stops,
    })
  }

  nextTime(): number | undefined {
    // Runs on every change of a Process, and the map is almost always empty.
    if (this.#planned.size === 0) return undefined
    let next: number | undefined
    for (const { at } of this.#planned.values()) if (next === undefined || at < next) next = at
    return next
  }

  act(now: number): void {
    const { writes } = this.#parts
    for (const [key, planned] of this.#planned) {
      if (planned.at > now) continue
      if (writes.room <= 0) return
      this.#planned.set(key, { ...planned, at: now + RETRY_MS })
      writes.add(this.#delete(key, planned), { bootstrapToken: key })
    }
  }

  close(): void {
    for (const stop of this.#stops) stop()
  }

  #plan(key: string): void {
    const { api, clock } = this.#parts
    const token = api.get(BOOTSTRAP_TOKENS, nameOf(key)) as unknown as BootstrapToken | undefined
    if (token === undefined) return
    const { uid } = token.metadata
    const former = this.#planned.get(key)
    const isUsedUp = (token.status?.used ?? 0) >= token.spec.uses
    // When its last use was taken is not stored: it counts from when this was seen first.
    const isKnown = isUsedUp && former?.isUsedUp === true && former.uid === uid
    const at = isKnown ? former.at : removalTime(token, isUsedUp, clock.now())
    if (at !== undefined) this.#planned.set(key, { uid, at, isUsedUp })
  }

  async #delete(key: string, { uid }: Planned): Promise<void> {
    const preconditions = uid === undefined ? {} : { preconditions: { uid } }
    await this.#parts.api.delete(BOOTSTRAP_TOKENS, nameOf(key), preconditions).catch((error: unknown) => {
      if (!isStatusError(error, 'NotFound')) throw error
    })
  }
}

/** Undefined for an end that cannot be read. */
function removalTime({ spec }: BootstrapToken, isUsedUp: boolean, now: number): number | undefined {
  const end = Date.parse(spec.expiresAt)
  const spentAt = isUsedUp ? (Number.isNaN(end) ? now : Math.min(now, end)) : end
  return Number.isNaN(spentAt) ? undefined : spentAt + KEPT_MS
}

function nameOf(key: string): { namespace: string; name: string } {
  const [namespace = '', name = ''] = key.split('/')
  return { namespace, name }
}
