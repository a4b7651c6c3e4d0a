// Finds the newest change when the store is opened: etcd counts other keys too. It looks at the last revisions, and at more
// of them while it finds none.

import type { EtcdClient } from './client/contract.ts'
import type { Layout } from './layout.ts'
import { scan } from './scan.ts'

const FIRST_LOOK = 100

/** Answers `known`, a change that nothing kept is older than, when there is none after it up to `revision`. */
export async function newestChange(
  client: EtcdClient,
  layout: Layout,
  known: number,
  revision: number,
  signal: AbortSignal,
): Promise<number> {
  for (let look = FIRST_LOOK; ; look *= 10) {
    const from = Math.max(known + 1, revision - look + 1)
    let newest = 0
    await scan(client, { range: layout.under('object', ''), from, upto: revision, signal }, (events) => {
      newest = events.at(-1)?.kv.modRevision ?? newest
      return true
    })
    if (newest > 0) return newest
    if (from === known + 1) return known
  }
}
