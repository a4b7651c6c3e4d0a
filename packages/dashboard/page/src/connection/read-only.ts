// The switch by which somebody who only wants to look makes sure of it: while it is on, no request of the page changes anything.

import type { Transport } from '@homeostat/client'
import { Shown } from '../live/shown.ts'

const KEY = 'homeostat-read-only'

export const readOnly = new Shown(localStorage.getItem(KEY) === 'on')

export function setReadOnly(on: boolean): void {
  localStorage.setItem(KEY, on ? 'on' : 'off')
  readOnly.set(on)
}

export const READ_ONLY = 'The page is read-only: the switch is in its header.'

/** The same transport, which refuses changes while the switch is on, whichever screen forgot to ask. */
export function guarded(transport: Transport): Transport {
  return {
    ...transport,
    send(request) {
      if (readOnly.value && changes(request.method, request.path)) return Promise.reject(new Error(READ_ONLY))
      return transport.send(request)
    },
  }
}

const REVIEWS = /^\/apis\/(?:authorization|authentication)\.k8s\.io\/[^/]+\/[^/]+reviews$/

/** Questions that are asked by POST, and rehearsals, change nothing. */
export function changes(method: string, path: string): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  const [place = '', query = ''] = path.split('?')
  return !REVIEWS.test(place) && !new URLSearchParams(query).has('dryRun')
}
