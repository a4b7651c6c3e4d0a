// Notes what is written through a transport, so that a test can say that nothing was.

import type { Transport, TransportRequest } from '@homeostat/client'

/** The oldest go first: a test that never asks must not run out of memory. */
const MAX_WRITES = 10_000

export class WriteLog {
  #writes: string[] = []

  /** The same transport, with its writes noted. */
  recorded(transport: Transport): Transport {
    return {
      send: (request) => {
        this.#note(request)
        return transport.send(request)
      },
      close: () => transport.close(),
    }
  }

  /** What was noted since this was last asked. */
  take(): string[] {
    const writes = this.#writes
    this.#writes = []
    return writes
  }

  #note({ method, path }: TransportRequest): void {
    if (method === 'GET' || method === 'HEAD' || isEvent(path)) return
    if (this.#writes.length >= MAX_WRITES) this.#writes.shift()
    this.#writes.push(`${method} ${path.split('?', 1)[0]}`)
  }
}

/** Events are news, sent when there is time for it: neither state, nor at a moment that a test could know. */
function isEvent(path: string): boolean {
  return /^\/apis\/events\.k8s\.io\/v1\/namespaces\/[^/]+\/events\b/.test(path)
}
