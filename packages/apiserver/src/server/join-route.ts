// The route by which new servers get the keys; its code is loaded with the first request for it.

import type { Exchange } from '../exchange/exchange.ts'
import type { JoinParts } from '../http/join-handler.ts'

/** Undefined for a server whose keys nobody gets. */
export function joinRoute({
  files,
  ...parts
}: Omit<JoinParts, 'files'> & { readonly files: JoinParts['files'] | undefined }) {
  if (files === undefined) return undefined
  return async (exchange: Exchange): Promise<void> => {
    const { handleJoin } = await import('../http/join-handler.ts')
    await handleJoin(exchange, { ...parts, files })
  }
}
