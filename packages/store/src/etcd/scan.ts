// Reads what happened between two revisions, over a watch of its own that ends at the second. Opening, compaction and
// followers that are behind call it.

import type { EtcdClient, WatchEvent } from './client/contract.ts'
import type { KeyRange } from './layout.ts'

export interface Scan {
  readonly range: KeyRange
  /** The first revision, and the last one. */
  readonly from: number
  readonly upto: number
  readonly previous?: boolean
  readonly signal: AbortSignal
}

/** A member that is catching up leaves the first questions out. */
const ASK_AGAIN_MS = 50

/** Gives the events in order until `take` returns false or all have been seen. Returns how far it came. */
export async function scan(
  client: EtcdClient,
  { range, from, upto, previous = false, signal }: Scan,
  take: (events: readonly WatchEvent[], through: number) => boolean,
): Promise<number> {
  if (from > upto) return upto
  const stop = new AbortController()
  const abort = () => stop.abort()
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  const watch = client.watch({ ...range, from, previous }, stop.signal)
  const ask = setInterval(() => watch.requestProgress(), ASK_AGAIN_MS)
  let through = from - 1
  try {
    watch.created.then(
      () => watch.requestProgress(),
      () => {},
    )
    for await (const message of watch) {
      if (message.type === 'progress') through = Math.max(through, message.revision)
      else {
        through = message.events.at(-1)?.kv.modRevision ?? through
        const wanted = through <= upto ? message.events : message.events.filter(({ kv }) => kv.modRevision <= upto)
        if (wanted.length > 0 && !take(wanted, Math.min(through, upto))) break
      }
      if (through >= upto) break
    }
    return Math.min(through, upto)
  } finally {
    clearInterval(ask)
    signal.removeEventListener('abort', abort)
    stop.abort()
  }
}
