// A write as etcd transactions: what it compares, what it changes, and what the answer says of it. The writer calls it; pure.

import type { Entry, Fence, Note, Value } from '../contract.ts'
import type { Compare, KeyValue, Operation, TxnRequest, TxnResponse } from './client/contract.ts'
import { encodeRecord, type WriteId } from './record.ts'
import type { Session } from './session.ts'

export interface Write {
  readonly id: WriteId
  readonly key: string
  /** Undefined: a deletion. */
  readonly value: Value | undefined
  readonly expected: Entry | undefined
  readonly note: Note
  readonly fences: readonly Fence[]
}

/** What a key holds, and what its last deletion left, in etcd. */
export interface KeyState {
  readonly object: KeyValue | undefined
  readonly deletion: KeyValue | undefined
}

export type Refusal =
  /** The key is not what was expected. */
  | { readonly type: 'moved'; readonly state: KeyState }
  /** The key is absent as expected, but was deleted at another revision than thought. */
  | { readonly type: 'deleted-at'; readonly revision: number; readonly state: KeyState }
  | { readonly type: 'fenced'; readonly key: string; readonly state: KeyState }
  | { readonly type: 'renumbered' }

/**
 * The etcd revision of the record that the write replaces. No record is ever replaced twice, and a new one never has the
 * revision of an old one: so the same transaction, sent again or held up on its way, is applied once at most. For an absent key it is the
 * revision of its last deletion: that it is absent would be true again later.
 */
export function baseOf(session: Session, { expected }: Write, deletedAt: number): number {
  return expected === undefined ? deletedAt : session.etcdRevision(expected.revision)
}

export function transactionOf(session: Session, write: Write, base: number): TxnRequest {
  const { layout } = session
  const { key, value, expected, note, fences } = write
  const object = layout.object(key)
  const deleted = layout.deleted(key)
  const record = encodeRecord({ id: write.id, previous: base, note, value })
  const compare: Compare[] = expected === undefined ? [at(object, 0), at(deleted, base)] : [at(object, base)]
  for (const fence of fences) compare.push(at(layout.object(fence.key), session.etcdRevision(fence.revision)))
  compare.push(at(layout.meta('store'), session.since))
  const success: Operation[] =
    value === undefined
      ? [
          { type: 'put', key: deleted, value: record },
          { type: 'delete', key: object },
        ]
      : [{ type: 'put', key: object, value: record }]
  const failure: Operation[] = [
    { type: 'range', key: object },
    { type: 'range', key: deleted },
    { type: 'range', key: layout.meta('store'), keysOnly: true },
    ...fences.map((fence): Operation => ({ type: 'range', key: layout.object(fence.key), keysOnly: true })),
  ]
  return { compare, success, failure }
}

/** Why a transaction was not applied, by what its failure branch read. */
export function refusalOf(session: Session, write: Write, base: number, { responses }: TxnResponse): Refusal {
  const [object, deletion, store, ...fences] = responses.map((response) =>
    response.type === 'range' ? response.kvs[0] : undefined,
  )
  const state = { object, deletion }
  if (store?.modRevision !== session.since) return { type: 'renumbered' }
  const expectedAt = write.expected === undefined ? 0 : base
  if ((object?.modRevision ?? 0) !== expectedAt) return { type: 'moved', state }
  if (write.expected === undefined && (deletion?.modRevision ?? 0) !== base)
    return { type: 'deleted-at', revision: deletion?.modRevision ?? 0, state }
  const moved = write.fences.find(
    ({ revision }, index) => (fences[index]?.modRevision ?? 0) !== session.etcdRevision(revision),
  )
  return { type: 'fenced', key: moved?.key ?? write.key, state }
}

function at(key: string, modRevision: number): Compare {
  return { key, target: 'modRevision', value: modRevision }
}
