// The work of a duty in the model: counts on, in memory, from what its cache showed when it began, one object per number. It decides over
// several objects as the queue does, so that a second leader, or one that does not know all, shows in the numbers.

import type { Held } from '@homeostat/apiserver'
import { isStatusError } from '@homeostat/meta'
import type { Random } from '../crash/random.ts'
import type { TermEntry } from './checkers/terms.ts'
import type { ModelServer } from './model-server.ts'
import { MAPS, NAMESPACE } from './object-client.ts'
import type { TrueLog } from './true-log.ts'

const PREFIX = `core/configmaps/${NAMESPACE}/`
const LEASES = 'coordination.k8s.io/leases/kube-system/homeostat-duty-'

/** Leads the duty on the server whenever it may, until the server is killed. */
export function count(server: ModelServer, duty: string, random: Random): void {
  const work = (held: Held) => countOn(server, duty, held, random)
  void server.parts.duties.lead(duty, work, new AbortController().signal)
}

async function countOn(server: ModelServer, duty: string, held: Held, random: Random): Promise<void> {
  const api = server.parts.apiOf(held)
  let last = 0
  for (const { name } of api.objects(MAPS)) {
    const [of, number] = name.slice(NAMESPACE.length + 1).split('.')
    if (of === duty) last = Math.max(last, Number(number))
  }
  while (!held.signal.aborted) {
    await new Promise<void>((resolve) => server.clock.setTimer(random.between(1, 1500), resolve))
    if (held.signal.aborted) return
    const fence = held.fence?.revision ?? 0
    // Two leaders that count the same must not notice it by the name.
    const name = `${duty}.${last + 1}.${fence}`
    try {
      await api.create(MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: NAMESPACE, name } })
      last++
    } catch (error) {
      // It may still be stored: who goes on has to stand on another state of the Lease.
      if (isStatusError(error, 'Timeout')) held.lost()
      else if (!isStatusError(error)) throw error
    }
  }
}

/** What the checker of terms reads. */
export function termsIn(log: TrueLog): TermEntry[] {
  return log.changes.flatMap(({ key, revision, op }): TermEntry[] => {
    if (key.startsWith(LEASES)) return [{ type: 'lease', duty: key.slice(LEASES.length), revision }]
    const [duty = '', number, fence] = key.slice(PREFIX.length).split('.')
    if (!key.startsWith(PREFIX) || op !== 'put' || fence === undefined) return []
    return [{ type: 'count', duty, revision, fence: Number(fence), count: Number(number) }]
  })
}
