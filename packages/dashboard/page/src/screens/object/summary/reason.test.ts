// Why an object is not ready, as tables, with statuses as hostile as definitions allow.

import { describe, expect, test } from 'vitest'
import type { LiveObject } from '../../../live/object.ts'
import { healthWord, objectHealth, reasonsOf } from './reason.ts'

const object = (status: unknown, metadata: object = {}) =>
  ({
    apiVersion: 'v1',
    kind: 'Any',
    metadata: { name: 'a', uid: 'u', resourceVersion: '1', ...metadata },
    status,
  }) as LiveObject
const condition = (type: string, status: string, more: object = {}) => ({ type, status, ...more })

describe('the first reason', () => {
  const rows: Record<string, [LiveObject, string | undefined]> = {
    'is that of Ready, wherever it stands': [
      object({ conditions: [condition('Synced', 'False'), condition('Ready', 'False')] }),
      'Ready is False',
    ],
    'is bad news before what is unknown': [
      object({ conditions: [condition('Ready', 'Unknown'), condition('Synced', 'False')] }),
      'Synced is False',
    ],
    'is a condition whose truth is bad news': [
      object({ conditions: [condition('DiskPressure', 'True')] }),
      'DiskPressure is True',
    ],
    'is a deletion that waits': [
      object({}, { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['a.io/b'] }),
      'It is being deleted',
    ],
    'is a controller that has not seen the last change': [
      object({ observedGeneration: 1, conditions: [condition('Ready', 'True')] }, { generation: 2 }),
      'Its controller has not seen the last change',
    ],
    'is a phase, when there are no conditions': [object({ phase: 'Failed' }), 'Its phase is Failed'],
    'is not there when all is well': [object({ conditions: [condition('Ready', 'True')] }), undefined],
    'is not there for a Pod that has ended well': [
      object({ phase: 'Succeeded', conditions: [condition('Ready', 'False', { reason: 'PodCompleted' })] }),
      undefined,
    ],
    'is not there for what does not go on in an object that is well': [
      object({
        conditions: [
          condition('Ready', 'True'),
          condition('Progressing', 'False', { reason: 'ReplicaSetUpdated' }),
          condition('Synced', 'False', { reason: 'Paused' }),
        ],
      }),
      undefined,
    ],
    'is not there for what does not go on in an object without a verdict': [
      object({ conditions: [condition('Complete', 'True'), condition('Suspended', 'False')] }),
      undefined,
    ],
    'is a rollout that is stuck, although enough of it is available': [
      object({
        conditions: [
          condition('Available', 'True'),
          condition('Progressing', 'False', { reason: 'ProgressDeadlineExceeded' }),
        ],
      }),
      'Progressing is False',
    ],
    'is what went wrong beside a verdict that is still good': [
      object({ conditions: [condition('Ready', 'True'), condition('Synced', 'False', { reason: 'ReconcileError' })] }),
      'Synced is False',
    ],
    'is not there for what is no status': [object('broken'), undefined],
    'is not there for conditions that are none': [
      object({ conditions: [null, 7, { type: 1, status: {} }, 'Ready'] }),
      undefined,
    ],
    'is not there without a status': [object(undefined), undefined],
  }
  for (const [name, [given, what]] of Object.entries(rows))
    test(name, () => expect(reasonsOf(given)[0]?.what).toBe(what))
})

test('an object that is well is good, whatever does not go on', () => {
  const well = object({ phase: 'Running', conditions: [condition('Progressing', 'False'), condition('Ready', 'True')] })
  expect([objectHealth(well), healthWord(well)]).toEqual(['good', 'Running'])
})

test('an object that says nothing has no health and no word', () => {
  expect(objectHealth(object(undefined))).toBeUndefined()
  expect(healthWord(object({ phase: {} }))).toBeUndefined()
})

test('a word is the phase, or follows from conditions', () => {
  expect(healthWord(object({ phase: 'Running' }))).toBe('Running')
  expect(healthWord(object({ conditions: [condition('Ready', 'False')] }))).toBe('Not ready')
  expect(healthWord(object({ phase: 'x'.repeat(1000) }))).toBeUndefined()
})
