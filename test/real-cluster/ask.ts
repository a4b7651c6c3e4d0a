// One request of a client that does not wait forever. Undefined: no whole answer came in time.

import { Agent, request } from 'node:http'
import type { Answer } from '../http-call.ts'

export interface Asked extends Pick<Answer, 'code' | 'text'> {
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads of an answer it has asked for
  readonly body: any
}

/** Longer than a server takes for an answer that says that it does not know. */
const PATIENCE_MS = 15_000

export class Asker {
  readonly #agent = new Agent({ keepAlive: true })

  ask(method: string, url: string, body?: unknown, patienceMs = PATIENCE_MS): Promise<Asked | undefined> {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const text = body === undefined ? undefined : JSON.stringify(body)
    // Node gives the body of a DELETE no length of its own.
    const headers = text === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) }
    return new Promise((resolve) => {
      const lost = () => resolve(undefined)
      const signal = AbortSignal.timeout(patienceMs)
      const sending = request(url, { method, agent: this.#agent, headers, signal })
      sending.on('error', lost)
      sending.on('response', (response) => {
        Array.fromAsync(response.setEncoding('utf8'), String).then((parts) => {
          const answered = parts.join('')
          if (response.complete) resolve({ code: response.statusCode ?? 0, text: answered, body: parsed(answered) })
          else lost()
        }, lost)
      })
      sending.end(text)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

function parsed(text: string): unknown {
  return text.startsWith('{') ? JSON.parse(text) : {}
}
