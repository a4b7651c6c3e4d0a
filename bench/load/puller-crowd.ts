// Many executors: busy, each closing its last process and taking the next in one call; or idle, waiting for the one process
// that is submitted. The load process calls it.

import type { Times } from './latencies.ts'
import type { PullPlan } from './protocol.ts'
import { type Pulled, Puller } from './puller.ts'

interface Answer {
  readonly puller: Puller
  readonly last: Pulled | undefined
  readonly at: number
}

export class PullerCrowd {
  readonly #pullers: readonly Puller[]
  /** Those that wait, when the crowd is idle. */
  #idle: Set<Promise<Answer>> | undefined

  private constructor(pullers: readonly Puller[]) {
    this.#pullers = pullers
  }

  static async open({ port, executors }: PullPlan): Promise<PullerCrowd> {
    const pullers = Array.from({ length: executors }, (_, number) => Puller.open(port, number))
    return new PullerCrowd(await Promise.all(pullers))
  }

  /** Takes and closes that many, which are there. Times are those of calls that take one. */
  async pull(count: number): Promise<Times> {
    const latencies = new Float64Array(count)
    let asked = 0
    let answered = 0
    const start = performance.now()
    const work = async (puller: Puller) => {
      let last: Pulled | undefined
      while (asked < count) {
        asked++
        const sentAt = performance.now()
        last = await puller.ask(last)
        latencies[answered++] = performance.now() - sentAt
      }
      if (last) await puller.ask(last, false)
    }
    await Promise.all(this.#pullers.map(work))
    return { wallMs: performance.now() - start, latencies }
  }

  /** Submits one at a time to executors that wait. Times run from the submit to the answer that brings it. */
  async wake(count: number, submit: () => Promise<unknown>): Promise<Times> {
    const latencies = new Float64Array(count)
    this.#idle ??= new Set(this.#pullers.map((puller) => answerOf(puller)))
    const idle = this.#idle
    const start = performance.now()
    for (let i = 0; i < count; i++) {
      const began = performance.now()
      const first = Promise.race([...idle].map((answer) => answer.then((value) => ({ answer, value }))))
      const [{ answer, value }] = await Promise.all([first, submit()])
      latencies[i] = value.at - began
      idle.delete(answer)
      await value.puller.ask(value.last, false)
      idle.add(answerOf(value.puller))
    }
    return { wallMs: performance.now() - start, latencies }
  }

  close(): void {
    for (const puller of this.#pullers) puller.close()
  }
}

function answerOf(puller: Puller): Promise<Answer> {
  const answer = puller.ask(undefined).then((last) => ({ puller, last, at: performance.now() }))
  // Who waits when the server ends is told nothing any more.
  answer.catch(() => {})
  return answer
}
