import type { ApiObject } from '@homeostat/client'
import { PermanentError } from '@homeostat/executor'
import { expect, test } from 'vitest'
import { terminal, waiting } from '../runtime/outcome.ts'
import type { RunOutcome } from '../runtime/run-outcome.ts'
import type { StatusFields } from '../runtime/status-draft.ts'
import { type AttemptOutcome, attemptOutcome } from './attempt-outcome.ts'

const there: ApiObject = { apiVersion: 'ex.io/v1', kind: 'Site', metadata: { name: 'a' } }
const ready = (status: 'True' | 'False'): StatusFields => ({
  conditions: [{ type: 'Ready', status, reason: 'R', message: '', lastTransitionTime: '' }],
})
const answer = (outcome: RunOutcome, { status, queued = false }: { status?: StatusFields; queued?: boolean } = {}) =>
  attemptOutcome({ object: there, outcome, status, queued, patience: () => 4000 })

test.each<[string, RunOutcome, { status?: StatusFields; queued?: boolean }, AttemptOutcome]>([
  ['success', { result: 'success' }, {}, { requeueAfter: undefined }],
  ['success that says it is ready', { result: 'success' }, { status: ready('True') }, { requeueAfter: undefined }],
  ['success that is not ready yet', { result: 'success' }, { status: ready('False') }, { requeueAfter: 4000 }],
  ['success with a time', { result: 'success', again: 1500 }, { status: ready('False') }, { requeueAfter: 1500 }],
  ['success, asked again meanwhile', { result: 'success', again: 9000 }, { queued: true }, { requeueAfter: 100 }],
  ['waiting', { result: 'waiting', error: waiting('No', 'not yet') }, {}, { requeueAfter: 4000 }],
  ['waiting with a time', { result: 'waiting', again: 500 }, {}, { requeueAfter: 500 }],
  ['an error', { result: 'error', error: 'no' }, { queued: true }, { error: 'no' }],
  ['an end from outside', { result: 'aborted', error: 'no' }, {}, { error: 'no' }],
])('of %s', (_, outcome, more, expected) => {
  expect(answer(outcome, more)).toEqual(expected)
})

test('what is for good is a failure for good', () => {
  const cause = terminal(new Error('never'), 'Broken')
  const attempt = answer({ result: 'terminal', error: cause })
  expect(attempt).toEqual({ error: expect.any(PermanentError) })
  expect(attempt).toMatchObject({ error: { message: 'never', cause } })
})

const accepted = (status: 'True' | 'False', reason: string) => [{ type: 'Accepted', status, reason, message: '' }]

test.each<[string, object | undefined, boolean]>([
  ['nothing was said of', undefined, true],
  ['never was accepted', { conditions: accepted('False', 'InvalidSpec') }, true],
  ['was accepted before', { conditions: accepted('False', 'BecameInvalid') }, false],
  ['is accepted by somebody', { conditions: accepted('True', 'Accepted') }, false],
])('an object goes with a spec that cannot be read when it %s: %#', (_, status, goes) => {
  const leaving = { ...there, metadata: { ...there.metadata, deletionTimestamp: '2030-01-01T00:00:00Z' }, status }
  const outcome: RunOutcome = { result: 'terminal', error: terminal(new Error('wrong'), 'InvalidSpec') }
  const attempt = attemptOutcome({ object: leaving, outcome, status: undefined, queued: false, patience: () => 1 })
  expect('error' in attempt).toBe(!goes)
  expect(
    'error' in attemptOutcome({ object: there, outcome, status: undefined, queued: false, patience: () => 1 }),
  ).toBe(true)
})
