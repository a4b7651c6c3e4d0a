// Stands between a client and a real server and does to answers what networks, proxies and broken servers do. One fault at
// a time, chosen by the test; where it strikes is decided by the random numbers it is given.

import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { linesOf } from '@homeostat/base/testing/lines-of'

export const FAULTS = [
  'none',
  // The connection, in the middle of an answer.
  'fin',
  'reset',
  'silent',
  'split',
  'dribble',
  // The stream of a watch.
  'clean end',
  'half a line',
  'garbage',
  'error 410',
  'error 500',
  'replay',
  'raw separators',
  // The answer.
  'answer 410',
  'answer 429',
  'answer 500',
  'answer 503',
  'no answer',
] as const

export type Fault = (typeof FAULTS)[number]

const ANSWERS: Partial<Record<Fault, { code: number; reason: string }>> = {
  'answer 410': { code: 410, reason: 'Expired' },
  'answer 429': { code: 429, reason: 'TooManyRequests' },
  'answer 500': { code: 500, reason: 'InternalError' },
  'answer 503': { code: 503, reason: 'ServiceUnavailable' },
}

/** Lines of the same watch that may be sent again. */
const REMEMBERED = 50

export class FaultProxy {
  fault: Fault = 'none'
  readonly #server: Server
  readonly #target: number
  readonly #random: () => number
  #struck = 0

  private constructor(target: number, random: () => number) {
    this.#target = target
    this.#random = random
    this.#server = createServer((asked, answer) => this.#forward(asked, answer))
  }

  static async start(target: number, random: () => number): Promise<FaultProxy> {
    const proxy = new FaultProxy(target, random)
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** How often the present fault has struck. */
  get struck(): number {
    return this.#struck
  }

  /** From now on this one happens, also to watches that are open. */
  inject(fault: Fault): void {
    this.fault = fault
    this.#struck = 0
  }

  /** Breaks all connections. */
  cut(): void {
    this.#server.closeAllConnections()
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #forward(asked: IncomingMessage, answer: ServerResponse): void {
    const { method = 'GET', url = '/', headers } = asked
    const isWatch = url.includes('watch=true')
    if (isWatch || url.includes('limit=')) {
      if (this.fault === 'no answer') {
        this.#struck++
        return
      }
      const instead = ANSWERS[this.fault]
      if (instead !== undefined && (this.#struck < 2 || this.#random() < 0.5)) {
        this.#answer(answer, instead)
        return
      }
    }
    const upstream = request({ host: '127.0.0.1', port: this.#target, method, path: url, headers })
    answer.on('close', () => upstream.destroy())
    upstream.on('error', () => answer.destroy())
    upstream.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers)
      answer.flushHeaders()
      if (isWatch) void this.#watch(response, answer)
      else response.pipe(answer)
    })
    asked.pipe(upstream)
  }

  #answer(answer: ServerResponse, { code, reason }: { code: number; reason: string }): void {
    this.#struck++
    const details = { retryAfterSeconds: 0 }
    answer.writeHead(code, { 'content-type': 'application/json', ...(code === 429 && { 'retry-after': '0' }) })
    answer.end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, details }))
  }

  /** Lines go on one after another, each as the fault of its moment has it. */
  async #watch(response: IncomingMessage, answer: ServerResponse): Promise<void> {
    const past: string[] = []
    try {
      for await (const line of linesOf(response)) if (!(await this.#line(line, past, answer))) return
      answer.end()
    } catch {
      answer.destroy()
    }
  }

  /** False when nothing may follow. */
  async #line(line: string, past: string[], answer: ServerResponse): Promise<boolean> {
    const whole = Buffer.from(`${line}\n`)
    past.push(line)
    if (past.length > REMEMBERED) past.shift()
    const strikes = this.#random() < 0.2
    switch (this.fault) {
      case 'split':
        this.#struck++
        for (const byte of whole) answer.write(Buffer.of(byte))
        return true
      case 'dribble':
        this.#struck++
        for (let at = 0; at < whole.length; at += 97) {
          answer.write(whole.subarray(at, at + 97))
          await new Promise((resolve) => setImmediate(resolve))
        }
        return true
      case 'raw separators': {
        const raw = line.replaceAll('\\u2028', '\u2028')
        if (raw.includes('\u2028')) this.#struck++
        answer.write(`${raw}\n`)
        return true
      }
      case 'replay':
        this.#struck++
        answer.write(whole)
        // An old line may be of any object: one that is newer by now, or one that is deleted.
        answer.write(`${past[Math.floor(this.#random() * past.length)]}\n`)
        return true
    }
    if (!strikes || this.fault === 'none' || this.fault.startsWith('answer') || this.fault === 'no answer') {
      answer.write(whole)
      return true
    }
    this.#struck++
    const cut = Math.floor(this.#random() * whole.length)
    return this.#break(answer, whole, cut)
  }

  #break(answer: ServerResponse, whole: Buffer, cut: number): boolean {
    const socket = answer.socket
    switch (this.fault) {
      case 'fin':
        answer.write(whole.subarray(0, cut), () => socket?.end())
        return false
      case 'reset':
        answer.write(whole.subarray(0, cut), () => socket?.resetAndDestroy())
        return false
      case 'silent':
        answer.write(whole.subarray(0, cut))
        return false
      case 'clean end':
        answer.write(whole)
        answer.end()
        return false
      case 'half a line':
        answer.write(whole.subarray(0, cut))
        answer.end()
        return false
      case 'garbage':
        answer.write('<html>Bad gateway</html>\n')
        answer.end()
        return false
      default: {
        const [code, reason] = this.fault === 'error 410' ? [410, 'Expired'] : [500, 'InternalError']
        answer.write(
          `${JSON.stringify({ type: 'ERROR', object: { kind: 'Status', status: 'Failure', code, reason } })}\n`,
        )
        answer.end()
        return false
      }
    }
  }
}
