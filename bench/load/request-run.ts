// A fixed number of requests over a fixed number of connections, each sending its next request when the last
// one is answered. The load process calls it. Any unexpected status ends the run with an error.

import type { Answer } from './connection.ts'
import { Connection } from './connection.ts'
import type { Times } from './latencies.ts'
import type { RequestPlan } from './protocol.ts'

export class RequestRun {
  readonly #plan: RequestPlan
  readonly #connections: Connection[]
  readonly #parts: readonly string[]
  #number: number

  private constructor(plan: RequestPlan, connections: Connection[]) {
    this.#plan = plan
    this.#connections = connections
    this.#parts = plan.text.split(/(\{[nk]\})/)
    this.#number = plan.first ?? 0
  }

  static async open(plan: RequestPlan): Promise<RequestRun> {
    const open = () => Connection.open(plan.port, plan.tls)
    const connections = await Promise.all(Array.from({ length: plan.connections }, open))
    return new RequestRun(plan, connections)
  }

  /** Run again, it goes on with the next numbers. */
  run(): Promise<Times> {
    const { count, status } = this.#plan
    const latencies = new Float64Array(count)
    const { promise, resolve, reject } = Promise.withResolvers<Times>()
    const start = performance.now()
    let sent = 0
    let answered = 0
    for (const connection of this.#connections) {
      let sentAt = 0
      const next = () => {
        if (sent === count) return
        sentAt = performance.now()
        sent++
        connection.send(this.#request())
      }
      connection.onLost = reject
      connection.onAnswer = (answer) => {
        const now = performance.now()
        if (answer.status !== status) return reject(unexpected(answer, status))
        latencies[answered++] = now - sentAt
        if (answered === count) resolve({ wallMs: now - start, latencies })
        else next()
      }
      next()
    }
    return promise
  }

  close(): void {
    for (const connection of this.#connections) connection.close()
  }

  #request(): string {
    const n = this.#number++
    const number = digits(n)
    const object = digits((n * (this.#plan.stride ?? 1)) % (this.#plan.cycle ?? 1))
    let text = ''
    for (const part of this.#parts) text += part === '{n}' ? number : part === '{k}' ? object : part
    return text
  }
}

function digits(n: number): string {
  return String(n).padStart(8, '0')
}

function unexpected(answer: Answer, status: number): Error {
  return new Error(`expected status ${status}, got ${answer.status}: ${answer.excerpt}`)
}
