// Writes down what clients of the model ask and are told, in the form that the checkers take. Its time counts events, so that
// whatever happened before something else has the lower number.

import { isStatusError, type KubeObject } from '@homeostat/meta'
import type { LogEntry, Stream } from '../crash/checker.ts'
import type { Action, History, List, Operation, Outcome } from './checkers/operations.ts'
import { Disconnected } from './model-server.ts'

export class Recorder {
  readonly operations: Operation[] = []
  readonly lists: List[] = []
  readonly streams: Stream[] = []
  #time = 0

  /** Sends the operation and writes down its outcome, which it resolves to. */
  async operation(
    asked: { readonly client: string; readonly server: string; readonly key: string; readonly action: Action },
    send: () => Promise<Outcome>,
  ): Promise<Outcome> {
    const sentAt = ++this.#time
    const outcome = await send().catch((error: unknown) => outcomeOf(error))
    this.operations.push({ ...asked, sentAt, answeredAt: ++this.#time, outcome })
    return outcome
  }

  async list(
    asked: Pick<List, 'client' | 'server' | 'demands'>,
    send: () => Promise<{ revision: number; items: readonly KubeObject[] }>,
  ): Promise<void> {
    const sentAt = ++this.#time
    try {
      const { revision, items } = await send()
      const objects = items
        .filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt')
        .map((item) => ({ key: item.metadata.name ?? '', revision: revisionOf(item), token: tokenOf(item) }))
      this.lists.push({ ...asked, sentAt, answeredAt: ++this.#time, revision, objects })
    } catch (error) {
      // A list that was not answered says nothing.
      outcomeOf(error)
    }
  }

  history(log: readonly LogEntry[]): History {
    return { operations: this.operations, lists: this.lists, streams: this.streams, log }
  }
}

/** Throws what no client should ever be told. */
function outcomeOf(error: unknown): Outcome {
  if (error instanceof Disconnected || isStatusError(error, 'Timeout')) return { type: 'unknown' }
  if (isStatusError(error, 'AlreadyExists')) return { type: 'exists' }
  if (isStatusError(error, 'Conflict')) return { type: 'conflict' }
  if (isStatusError(error, 'NotFound')) return { type: 'missing' }
  if (isStatusError(error) && [429, 500, 503].includes(error.code)) return { type: 'refused' }
  throw error
}

export function revisionOf({ metadata }: KubeObject): number {
  return Number(metadata.resourceVersion)
}

export function tokenOf({ data }: KubeObject): string {
  return (data as { token?: string } | undefined)?.token ?? 'no token'
}
