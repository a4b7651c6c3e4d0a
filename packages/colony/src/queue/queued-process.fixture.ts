// Processes and executors for tests of the queue, with what matters to a test said by it.

import type { ProcessQueue } from './process-queue.ts'
import type { Demands, Puller, QueuedProcess } from './queued-process.ts'

export const ANYTHING: Demands = {
  executorType: 'ml',
  funcName: 'train',
  executorNames: [],
  location: '',
  software: [],
  cpu: 0,
  memory: 0,
}

export function queued(name: string, facts: Partial<QueuedProcess> = {}): QueuedProcess {
  return {
    namespace: 'lab',
    name,
    uid: `uid-${name}`,
    revision: 1,
    phase: 'Waiting',
    order: 0,
    demands: ANYTHING,
    concurrencyKey: undefined,
    attempt: 0,
    executor: undefined,
    cancel: false,
    submittedAt: 0,
    notBefore: undefined,
    waitDeadline: undefined,
    execDeadline: undefined,
    deleteAt: undefined,
    ...facts,
  }
}

export function puller(facts: Partial<Puller> = {}): Puller {
  return {
    namespace: 'lab',
    name: 'e1',
    type: 'ml',
    functions: [],
    location: '',
    software: undefined,
    cpu: Infinity,
    memory: Infinity,
    ...facts,
  }
}

/** When the queue has something to be asked for. 0: at once. */
export function nextTime(queue: ProcessQueue): number | undefined {
  const [due, ripe] = [queue.nextDue(), queue.nextRipe()]
  return due === undefined || ripe === undefined ? (due ?? ripe) : Math.min(due, ripe)
}
