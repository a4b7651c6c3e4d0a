// Waits until objects meet a condition, and shows meanwhile what is missing. It uses informers, so that it survives a
// restart of the server.

import { systemClock } from '@homeostat/base'
import type { ApiObject, Informer, Selection } from '@homeostat/client'
import { humanDuration } from '@homeostat/meta/duration'
import { Fault } from '../fault.ts'
import { progressOn } from '../output/progress.ts'
import type { Terminal } from '../terminal.ts'
import { EXIT } from './failure.ts'
import type { Session } from './session.ts'

export interface Watched {
  readonly apiVersion: string
  readonly kind: string
  readonly selection: Selection
}

export interface Wait<T, R> extends Watched {
  /** Milliseconds; undefined means no limit. */
  readonly timeout: number | undefined
  /** Decides from the current objects: done, or what is missing. */
  look(
    objects: readonly T[],
    hints: readonly ApiObject[] | undefined,
  ): { readonly done: R } | { readonly waiting: string }
  /** Objects that explain the delay; undefined before they are read. They are read only if the progress line is shown. */
  readonly hints?: Watched
}

const TICK_MS = 1000

export async function waitFor<T extends ApiObject, R>(
  { client }: Session,
  terminal: Terminal,
  { apiVersion, kind, selection, timeout, look, hints }: Wait<T, R>,
): Promise<R> {
  // Verbs that only ask once do not need informers.
  const { createInformers } = await import('@homeostat/client')
  const { clock = systemClock } = terminal
  const informers = createInformers(client)
  const progress = progressOn(terminal)
  const started = performance.now()
  const objects = informers.open<T>(apiVersion, kind, selection)
  const seen = terminal.errorColumns === undefined && timeout === undefined ? undefined : hints
  const explaining = seen && informers.open(seen.apiVersion, seen.kind, seen.selection)
  let waiting = ''
  let ticks: NodeJS.Timeout | undefined
  let cancelTimeout = () => {}
  try {
    return await new Promise<R>((resolve, reject) => {
      const show = () => {
        const since = humanDuration(performance.now() - started)
        const trouble = objects.trouble === undefined ? '' : ', the server does not answer'
        if (waiting !== '') progress.show(`waiting: ${waiting}${trouble} (${since})`)
      }
      const check = () => {
        if (!objects.synced) return
        const found = look(objects.list(), explaining?.synced ? explaining.list() : undefined)
        if ('done' in found) return resolve(found.done)
        waiting = found.waiting
        show()
      }
      followed(objects, check, reject)
      if (explaining !== undefined) followed(explaining, check, reject)
      if (terminal.errorColumns !== undefined) ticks = setInterval(show, TICK_MS)
      if (timeout !== undefined) cancelTimeout = clock.setTimer(timeout, () => reject(timeoutFault(timeout, waiting)))
    })
  } finally {
    clearInterval(ticks)
    cancelTimeout()
    progress.end()
    informers.close()
  }
}

/** Calls back when the informer has synced, and with each change after that. */
function followed<T extends ApiObject>(
  informer: Informer<T>,
  check: () => void,
  reject: (error: unknown) => void,
): void {
  const safely = () => {
    try {
      check()
    } catch (error) {
      reject(error)
    }
  }
  informer.subscribe(safely)
  informer.whenSynced().then(safely, () => {})
}

function timeoutFault(timeout: number, waiting: string): Fault {
  const what = waiting === '' ? '' : `: ${waiting}`
  return new Fault(`the time of ${timeout < 1000 ? `${timeout}ms` : humanDuration(timeout)} is up${what}`, {
    exitCode: EXIT.timeout,
  })
}
