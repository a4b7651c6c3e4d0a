// A colony without a server, for stories: committed objects in a map, and the queue fed from them and asked as the server
// does it. Each method is one thing that can happen, and answers what came of it.

import type { Attempt, ProcessOutcome, ProcessSpec, ProcessStatus } from '@homeostat/executor/protocol'
import type { Due } from './deadlines.ts'
import { ExecutorLiveness } from './executor-liveness.ts'
import { processFacts } from './process-facts.ts'
import { ProcessQueue } from './process-queue.ts'
import type { Puller } from './queued-process.ts'
import {
  assigned,
  attemptEnded,
  cancelled,
  execExceeded,
  executorLost,
  isRefusal,
  notHeld,
  type Refusal,
  submitted,
  waitExceeded,
} from './transitions.ts'
import { WaitingPullers } from './waiting-pullers.ts'

const NAMESPACE = 'lab'

export interface Committed {
  readonly spec: ProcessSpec
  readonly status: ProcessStatus
  readonly revision: number
}

interface Poll {
  readonly puller: Puller
  readonly max: number
}

export class StoryWorld {
  now = 0
  readonly objects = new Map<string, Committed>()
  queue = new ProcessQueue()
  liveness = new ExecutorLiveness()
  polls = new WaitingPullers<Poll>()
  #revision = 0
  #lastMicros = 0

  submit(name: string, spec: ProcessSpec): void {
    if (this.objects.has(name)) throw new Error(`there is a Process ${name} already`)
    this.#lastMicros = Math.max(this.now * 1000, this.#lastMicros + 1)
    this.#commit(name, spec, submitted(spec, this.#lastMicros))
  }

  change(name: string, change: Partial<ProcessSpec>): void {
    const { spec, status } = this.of(name)
    this.#commit(name, { ...spec, ...change }, status)
  }

  /** Somebody edits the status by hand. */
  overwrite(name: string, change: Record<string, unknown>): void {
    const { spec, status } = this.of(name)
    this.#commit(name, spec, { ...status, ...change } as ProcessStatus)
  }

  delete(name: string): void {
    this.objects.delete(name)
    this.#revision += 1
    this.queue.delete(NAMESPACE, name, this.#revision)
  }

  /** Without the writes that follow: as if the server had not got to them. */
  reserve(puller: Puller, max: number): string[] {
    this.liveness.seen(NAMESPACE, puller.name, this.now)
    return this.queue.take(puller, max, this.now).map(({ name }) => name)
  }

  release(name: string): void {
    this.queue.release(NAMESPACE, name)
  }

  take(puller: Puller, max: number): string[] {
    return this.reserve(puller, max).filter((name) => {
      const next = this.step(name, ({ spec, status }) => assigned(spec, status, puller.name, this.now))
      if (!next || isRefusal(next)) this.release(name)
      return next && !isRefusal(next)
    })
  }

  wait(puller: Puller, max: number): void {
    this.liveness.seen(NAMESPACE, puller.name, this.now)
    this.polls.add(puller, { puller, max })
  }

  /** Serves the long polls that there is now something for. */
  wake(): [executor: string, processes: string[]][] {
    const served: [string, string[]][] = []
    for (const { namespace, executorType } of this.queue.ripe(this.now)) {
      for (;;) {
        const accepts = (puller: Puller) => this.queue.eligible(puller, this.now)
        const poll = this.polls.match(accepts, namespace, executorType)
        if (!poll) break
        served.push([poll.puller.name, this.take(poll.puller, poll.max)])
      }
    }
    return served
  }

  close(executor: string, end: ProcessOutcome): ProcessStatus | Refusal | undefined {
    this.liveness.seen(NAMESPACE, executor, this.now)
    return this.step(end.process, ({ spec, status }) => attemptEnded(spec, status, executor, end, this.now))
  }

  heartbeat(executor: string, holding: Attempt[]): { cancelled: Attempt[]; lost: Attempt[]; requeued: string[] } {
    const running = this.queue.running(NAMESPACE, executor)
    const { cancelled, lost, missing } = this.liveness.heartbeat(NAMESPACE, executor, holding, running, this.now)
    const requeued = missing.filter(({ name, attempt }) =>
      this.step(name, ({ spec, status }) => notHeld(spec, status, executor, attempt, this.now)),
    )
    return { cancelled, lost, requeued: requeued.map(({ name }) => name) }
  }

  /** The executors that were lost, with what they held. */
  loseExecutors(): [executor: string, processes: string[]][] {
    return this.liveness.lost(this.now).map(({ name: executor }) => {
      const held = [...this.queue.running(NAMESPACE, executor)]
      for (const { name, attempt } of held) {
        this.step(name, ({ spec, status }) => executorLost(spec, status, executor, attempt, this.now))
      }
      return [executor, held.map(({ name }) => name)]
    })
  }

  due(carryOut: boolean): Due[] {
    const due = this.queue.due(this.now, 100)
    if (carryOut) for (const one of due) this.#carryOut(one)
    return due
  }

  pause(paused: boolean): void {
    this.queue.pause(NAMESPACE, paused)
  }

  /** The server did not run until now. */
  resumed(): void {
    this.liveness.resumed(this.now)
    this.queue.resumed(this.now)
  }

  /** Everything but the objects is gone. All executors count as heard of at the start. */
  restart(executors: Iterable<string>): void {
    this.queue = new ProcessQueue()
    this.liveness = new ExecutorLiveness()
    this.polls = new WaitingPullers()
    for (const executor of executors) this.liveness.seen(NAMESPACE, executor, this.now)
    for (const [name, committed] of this.objects) this.#feed(name, committed)
  }

  of(name: string): Committed {
    const committed = this.objects.get(name)
    if (!committed) throw new Error(`there is no Process ${name}`)
    return committed
  }

  step(name: string, next: (committed: Committed) => ProcessStatus | Refusal | undefined) {
    const committed = this.of(name)
    const status = next(committed)
    if (status && !isRefusal(status)) this.#commit(name, committed.spec, status)
    return status
  }

  #carryOut({ process: { name, attempt }, why }: Due): void {
    if (why === 'delete') this.delete(name)
    else {
      this.step(name, ({ spec, status }) => {
        if (why === 'wait-exceeded') return waitExceeded(spec, status, this.now)
        if (why === 'exec-exceeded') return execExceeded(spec, status, this.now)
        return cancelled(spec, status, this.now, why === 'cancel-grace' ? attempt : undefined)
      })
    }
  }

  #commit(name: string, spec: ProcessSpec, status: ProcessStatus): void {
    this.#revision += 1
    // What is stored is JSON.
    const committed: Committed = JSON.parse(JSON.stringify({ spec, status, revision: this.#revision }))
    this.objects.set(name, committed)
    this.#feed(name, committed)
  }

  #feed(name: string, { spec, status, revision }: Committed): void {
    const metadata = { namespace: NAMESPACE, name, uid: `uid-${name}` }
    this.queue.set(processFacts({ apiVersion: 'colonies.io/v1', kind: 'Process', metadata, spec, status }, revision))
  }
}
