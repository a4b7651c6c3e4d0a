// Whether the server answers, and whether it wants a credential, as every request of the page shows it. The shell says so.

import type { Transport } from '@homeostat/client'
import { Shown } from '../live/shown.ts'

export interface Reach {
  /** When requests began to fail; undefined while the server answers. */
  readonly lostSince: number | undefined
  /** The server has refused what the page has for a credential. */
  readonly refused: boolean
}

export const reach = new Shown<Reach>({ lostSince: undefined, refused: false })

/** The same transport, observed. */
export function observed(transport: Transport): Transport {
  return {
    ...transport,
    async send(request) {
      try {
        const response = await transport.send(request)
        if (response.status === 401) note({ lostSince: undefined, refused: true })
        else note({ lostSince: undefined })
        return response
      } catch (error) {
        if (request.signal?.aborted !== true) note({ lostSince: reach.value.lostSince ?? Date.now() })
        throw error
      }
    },
  }
}

/** After a login. */
export function accepted(): void {
  note({ refused: false })
}

function note(change: Partial<Reach>): void {
  const next = { ...reach.value, ...change }
  if (next.lostSince !== reach.value.lostSince || next.refused !== reach.value.refused) reach.set(next)
}
