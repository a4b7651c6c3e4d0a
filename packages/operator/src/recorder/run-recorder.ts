// Makes Events of the runs that wrote something: equal runs of an object are one series, which keeps the newest. They have limits
// of their own, so that an operator's own Events are never dropped for them.

import type { ApiObject } from '@homeostat/client'
import { type EventSubject, type RunRecord, runNote } from '@homeostat/meta/events'
import type { RunSink } from '../runtime/companions.ts'
import { EventRecorder, type RecorderOptions } from './recorder.ts'

const PER_OBJECT = { burst: 10, perSecond: 2 / 60 }
const TOTAL = { burst: 100, perSecond: 1 }

export class RunRecorder implements RunSink {
  readonly #events: EventRecorder

  constructor(options: RecorderOptions) {
    this.#events = new EventRecorder({ perObject: PER_OBJECT, total: TOTAL, ...options })
  }

  record(regarding: ApiObject, run: RunRecord): void {
    const related = otherObject(regarding, run)
    this.#events.record(regarding, {
      reason: 'Reconciled',
      action: regarding.metadata.deletionTimestamp === undefined ? 'Reconcile' : 'Cleanup',
      message: runNote(run),
      ...(related && { related }),
      run,
    })
  }

  close(): Promise<void> {
    return this.#events.close()
  }
}

/** The first other object that triggered the run. */
function otherObject({ kind, metadata }: ApiObject, { triggers }: RunRecord): EventSubject | undefined {
  const other = triggers.find(
    ({ object: one }) =>
      one && (one.kind !== kind || one.name !== metadata.name || one.namespace !== metadata.namespace),
  )?.object
  if (other === undefined) return undefined
  const { apiVersion, kind: otherKind, name, namespace } = other
  return { apiVersion, kind: otherKind, metadata: { name, ...(namespace !== undefined && { namespace }) } }
}
