// Records the writes through a transport, so that a test can check that there were none.

import type { Transport, TransportRequest } from '@homeostat/client'

/** The oldest are dropped beyond this: a test that never takes them must not run out of memory. */
const MAX_WRITES = 10_000

export class WriteLog {
  #writes: string[] = []

  /** Wraps a transport so that its writes are recorded. */
  recorded(transport: Transport): Transport {
    return {
      send: (request) => {
        this.#note(request)
        return transport.send(request)
      },
      close: () => transport.close(),
    }
  }

  /** Returns the writes since the last call. */
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

/** Events are left out: they are sent in the background, at a time that a test cannot know. */
function isEvent(path: string): boolean {
  return /^\/apis\/events\.k8s\.io\/v1\/namespaces\/[^/]+\/events\b/.test(path)
}
