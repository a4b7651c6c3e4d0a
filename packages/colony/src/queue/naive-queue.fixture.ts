// The process queue as one would explain it: an array that is scanned for every question. Slow, and the measure for the
// real one in property tests.

import { CANCEL_GRACE_MS, type Due, RETRY_MS } from './deadlines.ts'
import type { Puller, QueuedProcess } from './queued-process.ts'

interface Known {
  process: QueuedProcess
  reserved: boolean
  cancelSeen: number | undefined
  retryAt: number
}

export class NaiveQueue {
  known: Known[] = []
  readonly gone = new Map<string, number>()
  readonly paused = new Set<string>()

  set(process: QueuedProcess): void {
    const old = this.find(process.namespace, process.name)
    if (process.revision <= (old?.process.revision ?? this.gone.get(id(process)) ?? -1)) return
    this.known = this.known.filter((one) => one !== old)
    if (process.phase === 'Ended' && process.deleteAt === undefined) {
      this.gone.set(id(process), process.revision)
      return
    }
    const isSameAttempt = process.phase === 'Running' && process.cancel && old?.process.attempt === process.attempt
    this.known.push({ process, reserved: false, cancelSeen: isSameAttempt ? old?.cancelSeen : undefined, retryAt: 0 })
  }

  delete(namespace: string, name: string, revision: number): void {
    const old = this.find(namespace, name)
    if (old && revision < old.process.revision) return
    this.known = this.known.filter((one) => one !== old)
    this.gone.set(`${namespace}/${name}`, Math.max(revision, this.gone.get(`${namespace}/${name}`) ?? 0))
  }

  take(puller: Puller, max: number, now: number): QueuedProcess[] {
    const taken: QueuedProcess[] = []
    const free = { ...puller }
    while (taken.length < max) {
      const [first] = this.takeable(now)
        .filter(({ process }) => suits(process, free))
        .sort(byOrder)
      if (!first) break
      first.reserved = true
      free.cpu = Math.round((free.cpu - first.process.demands.cpu) * 1e9) / 1e9
      free.memory -= first.process.demands.memory
      taken.push(first.process)
    }
    return taken
  }

  eligible(puller: Puller, now: number): boolean {
    return this.takeable(now).some(({ process }) => suits(process, puller))
  }

  release(namespace: string, name: string): void {
    const one = this.find(namespace, name)
    if (!one) return
    one.reserved = false
    one.retryAt = 0
  }

  /** All that somebody could have now. */
  takeable(now: number): Known[] {
    return this.known.filter((one) => {
      const key = one.process.concurrencyKey
      if (!this.couldRun(one, now) || this.paused.has(one.process.namespace)) return false
      if (key === undefined) return true
      const rivals = this.known.filter(
        ({ process }) => process.concurrencyKey === key && process.namespace === one.process.namespace,
      )
      if (rivals.some(({ process, reserved }) => process.phase === 'Running' || reserved)) return false
      const [first] = rivals.filter((rival) => this.couldRun(rival, now)).sort(byOrder)
      return first === one
    })
  }

  due(now: number): Due[] {
    return this.known.flatMap(({ process, cancelSeen, retryAt }): Due[] => {
      const come = (time: number | undefined) => time !== undefined && time <= now
      if (retryAt > now) return []
      if (process.phase === 'Ended') return come(process.deleteAt) ? [{ process, why: 'delete' }] : []
      if (process.phase === 'Waiting') {
        if (process.cancel) return [{ process, why: 'cancel' }]
        return come(process.waitDeadline) ? [{ process, why: 'wait-exceeded' }] : []
      }
      if (process.cancel && cancelSeen !== undefined && come(cancelSeen + CANCEL_GRACE_MS)) {
        return [{ process, why: 'cancel-grace' }]
      }
      return come(process.execDeadline) ? [{ process, why: 'exec-exceeded' }] : []
    })
  }

  handedOut(due: Due, now: number): void {
    const one = this.find(due.process.namespace, due.process.name)
    if (one) one.retryAt = now + RETRY_MS
  }

  /** Whatever is asked with a time makes the queue see which runs are cancelled. */
  look(now: number): void {
    for (const one of this.known) {
      if (one.process.phase === 'Running' && one.process.cancel) one.cancelSeen ??= now
    }
  }

  find(namespace: string, name: string): Known | undefined {
    return this.known.find(({ process }) => process.namespace === namespace && process.name === name)
  }

  private couldRun({ process, reserved }: Known, now: number): boolean {
    return (
      process.phase === 'Waiting' &&
      !reserved &&
      !process.cancel &&
      (process.notBefore ?? 0) <= now &&
      (process.waitDeadline ?? Infinity) > now
    )
  }
}

function suits({ namespace, demands }: QueuedProcess, puller: Puller): boolean {
  if (namespace !== puller.namespace || demands.executorType !== puller.type) return false
  if (puller.functions.length > 0 && !puller.functions.includes(demands.funcName)) return false
  if (demands.executorNames.length > 0 && !demands.executorNames.includes(puller.name)) return false
  if (demands.location !== '' && demands.location !== puller.location.toLowerCase()) return false
  if (puller.software !== undefined && !demands.software.every((one) => puller.software?.includes(one))) return false
  return demands.cpu <= puller.cpu && demands.memory <= puller.memory
}

function byOrder({ process: a }: Known, { process: b }: Known): number {
  return a.order - b.order || (a.name < b.name ? -1 : 1)
}

function id({ namespace, name }: QueuedProcess): string {
  return `${namespace}/${name}`
}
