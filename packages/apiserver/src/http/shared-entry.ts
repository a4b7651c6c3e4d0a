// What a request waits for on a shared store before it is handled, so that it is answered by what all servers know. The router calls it;
// a server that is alone on its store never does.

import { isStatusError } from '@homeostat/meta'
import { tooManyRequests } from '@homeostat/meta/server'
import type { ApiRequest } from '../exchange/api-request.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Freshness } from '../registry/freshness.ts'

/** Requests that may wait at once for the store to say how far it is. */
const MAX_WAITING = 10_000

export class SharedEntry {
  readonly #freshness: Freshness
  readonly #revision: () => number
  #waiting = 0

  constructor(freshness: Freshness, revision: () => number) {
    this.#freshness = freshness
    this.#revision = revision
  }

  /**
   * Runs `enter`, which says who asks, whether they may, and of which kind; it returns false for a kind that is not known. A read
   * that asks for the newest state enters on it. Any other enters on state that is at most a second old, and once more on the
   * newest if that refuses it. Not for the administrator's own connections: they have no rights that could be stale.
   */
  async pass(exchange: Exchange, enter: () => Promise<boolean>): Promise<void> {
    const { request } = exchange
    let isNewest = wantsNewest(request, this.#revision())
    if (isNewest) await this.#wait(this.#freshness.newest())
    else if (hasCredentials(request)) await this.#wait(this.#freshness.recent())
    for (;;) {
      try {
        if ((await enter()) || isNewest) return
      } catch (error) {
        if (isNewest || !(isStatusError(error, 'Unauthorized') || isStatusError(error, 'Forbidden'))) throw error
      }
      await this.#wait(this.#freshness.newest())
      isNewest = true
    }
  }

  async #wait(behind: Promise<void> | undefined): Promise<void> {
    if (behind === undefined) return
    if (this.#waiting >= MAX_WAITING)
      throw tooManyRequests(`${MAX_WAITING} requests wait for the store to say how far it is`, 1)
    this.#waiting++
    try {
      await behind
    } finally {
      this.#waiting--
    }
  }
}

function hasCredentials({ peer, headers }: ApiRequest): boolean {
  return peer.kind === 'tls' || headers.authorization !== undefined || headers['impersonate-user'] !== undefined
}

/** Whether it must show every write that anybody was told of before. `resourceVersion=0` takes what this server has. */
function wantsNewest(request: ApiRequest, cached: number): boolean {
  const { method, pathname, headers } = request
  if ((method !== 'GET' && method !== 'HEAD') || OWN.has(pathname.split('/', 2)[1] ?? '')) return false
  const isStream = pathname === '/watch'
  const given = isStream ? (headers['last-event-id'] ?? request.param('lastEventId')) : request.param('resourceVersion')
  if (given === '') return request.param('continue') === ''
  // What is no number is refused later.
  return Number(given) > cached
}

/** Paths at which a server tells about itself. */
const OWN: ReadonlySet<string> = new Set(['healthz', 'livez', 'readyz', 'metrics', 'version', '.well-known', 'openid'])
