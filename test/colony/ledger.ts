// Keeps what the simulated clients sent and received, and reads states of Processes out of a watch and a list.

import type { Process } from '@homeostat/executor'
import type { KubeObject } from '@homeostat/meta'
import type { WatchedEvent } from '../watch-reader.ts'
import type { Cancel, Close, Contact, Heartbeat, History, Removal, State, Submit, Taken } from './history.ts'

export class Ledger {
  readonly submits: Submit[] = []
  readonly taken: Taken[] = []
  readonly closes: Close[] = []
  readonly heartbeats: Heartbeat[] = []
  readonly contacts: Contact[] = []
  readonly removals: Removal[] = []
  readonly cancels: Cancel[] = []
  #tokens = 0

  newToken(): string {
    return `t${this.#tokens++}`
  }

  history(events: readonly WatchedEvent[], listed: readonly KubeObject[]): History {
    const { submits, taken, closes, heartbeats, contacts, removals, cancels } = this
    return {
      submits,
      taken,
      closes,
      heartbeats,
      contacts,
      removals,
      cancels,
      states: events.map(({ type, object }) => stateOf(object, type === 'DELETED')),
      listed: listed.map((object) => stateOf(object, false)),
    }
  }
}

function stateOf(object: KubeObject, gone: boolean): State {
  const { metadata, spec, status } = object as unknown as Process
  return {
    revision: Number(metadata.resourceVersion),
    process: metadata.name ?? '',
    uid: metadata.uid ?? '',
    gone,
    phase: status.phase,
    attempt: status.attempt,
    executor: status.executor,
    concurrencyKey: spec.concurrencyKey,
    maxRetries: spec.maxRetries ?? 3,
    retries: status.retries ?? 0,
    startedAt: time(status.startedAt),
    execDeadline: time(status.execDeadline),
    finishedAt: status.finishedAt,
    token: (status.output as { token?: string } | undefined)?.token,
  }
}

function time(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text)
}
