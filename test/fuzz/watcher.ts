// Follows a watch for the whole of a run, to see that it is made of whole events.

import { get, type IncomingMessage } from 'node:http'

export class Watcher {
  #text = ''
  #response: IncomingMessage | undefined

  constructor(port: number, path: string) {
    get({ host: '127.0.0.1', port, path }, (response) => {
      this.#response = response
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        this.#text += chunk
      })
      response.on('error', () => {})
    })
  }

  /** Ends the watch. Every line is an event; what came after the last is not counted. */
  wrongLines(): string[] {
    this.#response?.destroy()
    const lines = this.#text.split('\n').slice(0, -1)
    return lines.filter((line) => !isEvent(line))
  }
}

function isEvent(line: string): boolean {
  try {
    const { type, object } = JSON.parse(line) as { type?: unknown; object?: unknown }
    return typeof type === 'string' && typeof object === 'object'
  } catch {
    return false
  }
}
