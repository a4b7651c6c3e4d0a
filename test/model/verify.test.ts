// The comparison with the model finds answers and changes that should not be.

import type { KubeObject } from '@homeostat/meta'
import { expect, test } from 'vitest'
import type { WatchedEvent } from '../watch-reader.ts'
import { widget } from '../widgets.ts'
import type { Note } from './client.ts'
import type { Operation } from './model.ts'
import { verify } from './verify.ts'

function object(revision: number, size: number, generation: number): KubeObject {
  return widget('a', {
    metadata: { name: 'a', uid: 'u', generation, resourceVersion: String(revision) },
    spec: { size },
  })
}

const created: WatchedEvent = { type: 'ADDED', object: object(5, 1, 1) }
const changed: WatchedEvent = { type: 'MODIFIED', object: object(6, 2, 2) }

function note(operation: Operation, low: number, high: number, answer: Partial<Note>): Note {
  const none = { sent: 0, code: 200, reason: undefined, object: undefined, deletedUid: undefined }
  return { name: 'a', operation, low, high, ...none, ...answer }
}

const create = note({ type: 'create', size: 1, held: false }, 4, 5, { code: 201, object: created.object })
const merge: Operation = { type: 'merge', size: 2, version: 'none' }
const put: Operation = { type: 'replace', size: 2, version: 'seen' }
const merged = note(merge, 5, 6, { object: changed.object })

test('a sound story has nothing wrong', () => {
  expect(verify([create, merged], [created, changed])).toEqual([])
  const repeated = note(merge, 5, 6, { object: changed.object })
  const late = note(put, 5, 6, { sent: 5, code: 409, reason: 'Conflict' })
  expect(verify([repeated, create, late, merged], [created, changed])).toEqual([])
  const gone = note({ type: 'delete', version: 'none' }, 6, 7, { deletedUid: 'u' })
  const deleted: WatchedEvent = { type: 'DELETED', object: object(7, 2, 2) }
  expect(verify([create, merged, gone], [created, changed, deleted])).toEqual([])
})

const stories: Record<string, [Note[], WatchedEvent[], RegExp]> = {
  'a change that nobody made': [[create], [created, changed], /nobody made the change at 6/],
  'an answer that changed nothing but should have': [[create, merged], [created], /nothing of it is in the log/],
  'a generation that stayed': [
    [create, merged],
    [created, { type: 'MODIFIED', object: object(6, 2, 1) }],
    /nobody made the change at 6/,
  ],
  'a status write that changes the spec': [
    [
      create,
      note({ type: 'status', phase: 'On', size: 2, version: 'seen' }, 5, 6, { sent: 5, object: changed.object }),
    ],
    [created, changed],
    /made .*"size":2.* instead of .*"size":1,"phase":"On"/,
  ],
  'an update that was lost': [
    [create, merged, note(put, 6, 7, { sent: 5, object: object(7, 3, 3) })],
    [created, changed, { type: 'MODIFIED', object: object(7, 3, 3) }],
    /the model says .*Conflict/,
  ],
  'a conflict without a reason': [
    [create, note(put, 5, 5, { sent: 5, code: 409, reason: 'Conflict' })],
    [created],
    /right at no moment/,
  ],
  'an absence that was over': [
    [create, note(merge, 5, 5, { code: 404, reason: 'NotFound' })],
    [created],
    /right at no moment/,
  ],
  'two that were created at once': [
    [create, note({ type: 'create', size: 1, held: false }, 4, 5, { code: 201, object: created.object })],
    [created],
    /nothing of it is in the log/,
  ],
}

test.each(Object.entries(stories))('%s is found', (_name, [notes, events, message]) => {
  expect(verify(notes, events)).toContainEqual(expect.stringMatching(message))
})
