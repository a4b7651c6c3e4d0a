import { expect, test } from 'vitest'
import { attemptsOf } from './attempts.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString()
const spec = { funcName: 'f', conditions: { executorType: 'ml' } }

function told(status: object): [string, number, number | undefined, string][] {
  const base = Date.UTC(2026, 0, 1)
  const { spans } = attemptsOf(spec, { submittedAt: at(0), ...status } as never)
  return spans.map(({ label, from, to, look }) => [
    label,
    (from - base) / 1000,
    to === undefined ? undefined : (to - base) / 1000,
    look,
  ])
}

test('one that waits has waited since it was submitted', () => {
  expect(told({ phase: 'Waiting', attempt: 0 })).toEqual([['waited', 0, undefined, 'wait']])
})

test('retried attempts stand between their pauses', () => {
  const pastAttempts = [
    { attempt: 1, executor: 'e1', startedAt: at(5), finishedAt: at(8), error: 'no disk' },
    { attempt: 2, executor: 'e2', startedAt: at(9), finishedAt: at(12), error: 'no disk' },
  ]
  const status = { phase: 'Succeeded', attempt: 3, executor: 'e1', pastAttempts, startedAt: at(14), finishedAt: at(15) }
  expect(told(status)).toEqual([
    ['waited', 0, 5, 'wait'],
    ['attempt 1, e1', 5, 8, 'bad'],
    ['waited again', 8, 9, 'wait'],
    ['attempt 2, e2', 9, 12, 'bad'],
    ['waited again', 12, 14, 'wait'],
    ['attempt 3, e1', 14, 15, 'good'],
  ])
})

test('attempts that nothing is known of are counted', () => {
  const pastAttempts = [{ attempt: 12, startedAt: at(100), finishedAt: at(110) }]
  const { untold, spans } = attemptsOf(spec, {
    phase: 'Waiting',
    submittedAt: at(0),
    attempt: 12,
    pastAttempts,
  })
  expect(untold).toBe(11)
  expect(spans.map(({ label }) => label)).toEqual(['attempt 12', 'waited again'])
  expect(attemptsOf(spec, { phase: 'Running', submittedAt: at(0), attempt: 3, startedAt: at(5) }).untold).toBe(2)
})

test.each([[{}], [{ submittedAt: 'x' }], [{ submittedAt: at(0), pastAttempts: [{ attempt: 1, finishedAt: 'x' }, 7] }]])(
  'a status that is none breaks nothing: %j',
  (status) => expect(() => attemptsOf({}, status as never)).not.toThrow(),
)
