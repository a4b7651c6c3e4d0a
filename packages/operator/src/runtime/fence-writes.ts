// The client of reconciles in a process that may lose its right to act. It judges each write by the clock when it is sent:
// in a process that was stopped, a timer or an answer may continue a reconcile before the timer that ends its term.

import type { Client } from '@homeostat/client'
import type { Leadership } from './companions.ts'

export function fenceWrites(client: Client, leadership: Leadership): Client {
  const { transport } = client
  return client.over({
    ...(transport.server !== undefined && { server: transport.server }),
    async send(request) {
      // Reading `leading` also aborts the reconciles of a term that is over.
      if (request.method !== 'GET' && !leadership.leading)
        throw new Error('this process may no longer act: nothing was sent')
      return transport.send(request)
    },
    close: () => transport.close(),
  })
}
