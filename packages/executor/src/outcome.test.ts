import { expect, test } from 'vitest'
import { MAX_OUTPUT_BYTES, outcomeOf, type Reported, type ValueOrError } from './outcome.ts'
import { PermanentError } from './process-context.ts'

const attempt = { process: 'p', attempt: 2 }
const children = [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } }]
const reported: Reported = { status: { phase: 'Up' }, children, requeueAfter: 5 }

test.each<[string, ValueOrError, Reported, boolean, object]>([
  ['a value', { value: { a: 1 } }, {}, false, { result: 'Succeeded', output: { a: 1 } }],
  ['nothing', { value: undefined }, {}, false, { result: 'Succeeded' }],
  ['null', { value: null }, {}, false, { result: 'Succeeded', output: null }],
  ['what was reported', { value: undefined }, reported, false, { result: 'Succeeded', ...reported }],
  ['an error', { error: new Error('no') }, {}, false, { result: 'Failed', retryable: true, errors: ['no'] }],
  ['a text', { error: 'no' }, {}, false, { result: 'Failed', retryable: true, errors: ['no'] }],
  [
    'an empty error',
    { error: new TypeError() },
    {},
    false,
    { result: 'Failed', retryable: true, errors: ['TypeError'] },
  ],
  ['for good', { error: new PermanentError('no') }, {}, false, { result: 'Failed', retryable: false, errors: ['no'] }],
  [
    'for good, by another copy of the package',
    { error: Object.assign(new Error('no'), { [Symbol.for('homeostat.executor.permanent-error')]: true }) },
    {},
    false,
    { result: 'Failed', retryable: false, errors: ['no'] },
  ],
  [
    'an error with a status and without children',
    { error: new Error('no') },
    reported,
    false,
    { result: 'Failed', retryable: true, errors: ['no'], status: { phase: 'Up' } },
  ],
  ['an error after a cancel', { error: new Error('aborted') }, {}, true, { result: 'Cancelled' }],
  ['a value after a cancel', { value: 1 }, reported, true, { result: 'Cancelled', status: { phase: 'Up' } }],
  ['the largest output', { value: 'x'.repeat(MAX_OUTPUT_BYTES - 2) }, {}, false, { result: 'Succeeded' }],
])('a function that ended with %s', (_, end, reported, isCancelled, expected) => {
  expect(outcomeOf(attempt, end, reported, isCancelled)).toMatchObject({ ...attempt, ...expected })
  const outcome = outcomeOf(attempt, end, reported, isCancelled)
  if (!('output' in expected))
    expect({ ...outcome, output: undefined }).toEqual({ ...attempt, ...expected, output: undefined })
})

const circular: { self?: unknown } = {}
circular.self = circular

test.each<[string, unknown, RegExp]>([
  [
    'too large',
    'x'.repeat(MAX_OUTPUT_BYTES - 1),
    /^the output has 262145 bytes as JSON, and a process keeps 262144: put it/,
  ],
  ['too large in bytes', 'ä'.repeat(MAX_OUTPUT_BYTES / 2), /^the output has 262146 bytes/],
  ['not JSON', circular, /^the output cannot be written as JSON: /],
])('an output that is %s is a failure for good', (_, value, message) => {
  const outcome = outcomeOf(attempt, { value }, {}, false)
  expect(outcome).toMatchObject({ result: 'Failed', retryable: false, errors: [expect.stringMatching(message)] })
  expect(outcome).not.toHaveProperty('output')
})
