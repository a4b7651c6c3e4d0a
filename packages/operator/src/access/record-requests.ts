// A client that reports its requests to the host. `run` wraps its client only when a host listens, so that an operator
// in production pays nothing.

import type { Client, TransportRequest } from '@homeostat/client'
import { type RequestInfo, requestInfo } from './request-info.ts'

export function recordRequests(client: Client, requested: (request: RequestInfo) => void): Client {
  const { transport } = client
  const recorded = client.over({
    ...(transport.server !== undefined && { server: transport.server }),
    async send(request: TransportRequest) {
      const info = requestInfo(request)
      if (info === undefined) return transport.send(request)
      requested(info)
      const response = await transport.send(request)
      // An apply that creates the object needs the right to create as well.
      if (info.verb === 'patch' && response.status === 201) requested({ ...info, verb: 'create' })
      return response
    },
    close: () => transport.close(),
  })
  return recorded
}
