// The page's client of the API: requests over fetch, watches over WebSocket. All screens share this one.

import { type Client, createClient, fetchTransport, webSocketTransport } from '@homeostat/client'
import { observed } from './reachable.ts'
import { guarded } from './read-only.ts'
import { newTicket, sessionHeaders } from './session.ts'

const BASE = '/ui/api'
/** The page never reads its own tries' end: a person sees that it is trying, and can go away. */
const RETRY = { tries: 3, total: '10s' } as const

const overFetch = fetchTransport({ baseUrl: BASE, headers: sessionHeaders })

export const client: Client = createClient(
  guarded(
    observed(
      webSocketTransport(overFetch, {
        async open({ path, headers }) {
          const ticket = await newTicket()
          const url = new URL(BASE + path, location.href)
          url.protocol = url.protocol.replace('http', 'ws')
          // A browser's WebSocket has no headers: the site makes one of this parameter.
          const accept = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'accept')?.[1]
          if (accept !== undefined) url.searchParams.set('_accept', accept)
          const protocols = ['v1.homeostat.io', ...(ticket === undefined ? [] : [`ticket.homeostat.io.${ticket}`])]
          return new WebSocket(url, protocols)
        },
      }),
    ),
  ),
  { retry: RETRY },
)
