// Keeps the endpoints of the Service `kubernetes` at the servers that are there. Runs on the one with the duty; a server that is
// alone advertises itself when it listens.

import { networkInterfaces } from 'node:os'
import { type Log, messageOf } from '@homeostat/base'
import type { Duties } from '../duties/duties.ts'
import type { Api } from '../registry/api.ts'
import { type Address, advertise, reachableHost } from './advertise.ts'

/** Resolves when the signal has aborted. */
export async function advertiseMembers(api: Api, duties: Duties, log: Log, signal: AbortSignal): Promise<void> {
  let known = ''
  while (!signal.aborted) {
    const urls = duties.members().map(({ address }) => address)
    const addresses = urls.flatMap(reachable)
    const wanted = addresses.map(({ host, port }) => `${host} ${port}`).join()
    const [first] = addresses
    if (wanted !== known && first !== undefined) {
      await advertise(api, addresses, first.port).then(
        () => {
          known = wanted
        },
        (error: unknown) => log.warn({ reason: messageOf(error) }, 'the Service kubernetes could not be updated'),
      )
    }
    await duties.changed(signal)
  }
}

/** Nothing for a server that only its own machine reaches. */
function reachable(url: string): Address[] {
  if (!URL.canParse(url)) return []
  const { hostname, port } = new URL(url)
  const host = reachableHost(hostname.replace(/^\[(.*)\]$/, '$1'), networkInterfaces())
  return host === undefined ? [] : [{ host, port: Number(port || 443) }]
}
