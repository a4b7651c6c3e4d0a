import type { Executor, Process } from '@homeostat/executor/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestCommand, testCommand } from '../colony.fixture.ts'
import { typeLines } from './status.ts'

let command: TestCommand
beforeAll(async () => {
  command = await testCommand()
})
afterAll(() => command[Symbol.asyncDispose]())

test('a queue that is paused gives out nothing until it goes on', async () => {
  const { homeostat } = command
  await command.client.resource('v1', 'Namespace').create({ metadata: { name: 'still' } })
  const paused = await homeostat('queue', 'pause', '-n', 'still')
  expect(paused).toEqual({ code: 0, out: 'the queue of still is paused; what runs goes on\n', error: '' })
  await command.executor('still', 'worker', { work: () => 'done' })
  const submit = ['process', 'submit', 'work', '--type', 'worker', '-n', 'still', '--name', 'patient']
  const waited = await command.timedOut(/patient is Waiting/, ...submit, '--wait', '--timeout', '300ms')
  expect(waited).toMatchObject({ code: 6, error: 'homeostat: the time of 300ms is up: patient is Waiting\n' })
  await homeostat('process', 'submit', 'work', '--type', 'other', '-n', 'still')
  const { out } = await homeostat('queue', 'status', '-n', 'still')
  const [first, ...lines] = out.trimEnd().split('\n')
  expect(first).toBe('the queue of still is paused')
  expect(lines.map((line) => line.split(/ +/))).toEqual([
    ['TYPE', 'WAITING', 'OLDEST', 'RUNNING', 'EXECUTORS-ONLINE'],
    ['other', '1', expect.stringMatching(/s$/), '0', '0'],
    ['worker', '1', expect.stringMatching(/s$/), '0', '1'],
  ])
  expect((await homeostat('queue', 'resume', '-n', 'still')).out).toBe('the queue of still goes on\n')
  expect((await homeostat('process', 'wait', 'patient', '-n', 'still')).out).toBe('done\n')
  expect((await homeostat('queue', 'status', '-n', 'still')).out).toMatch(/^the queue of still is open\n/)
})

test('a namespace that is not there has no queue', async () => {
  const shown = await command.homeostat('queue', 'pause', '-n', 'nowhere')
  expect(shown).toEqual({
    code: 3,
    out: '',
    error: 'homeostat: there is no namespace nowhere, and so no queue; `kubectl create namespace nowhere` makes it\n',
  })
})

test('types are counted from what waits, what runs and who is there', () => {
  const process = (executorType: string, submittedAt: string) =>
    ({ metadata: {}, spec: { conditions: { executorType } }, status: { submittedAt } }) as Process
  const executor = (type: string, phase: string) => ({ metadata: {}, spec: { type }, status: { phase } }) as Executor
  expect(
    typeLines(
      [process('b', '2026-01-02'), process('b', '2026-01-01'), process('a', '2026-01-03')],
      [process('b', ''), process('c', '')],
      [executor('b', 'Online'), executor('b', 'Lost'), executor('d', 'Online'), executor('e', 'Lost')],
    ),
  ).toEqual([
    { type: 'a', waiting: 1, running: 0, online: 0, oldest: '2026-01-03' },
    { type: 'b', waiting: 2, running: 1, online: 1, oldest: '2026-01-01' },
    { type: 'c', waiting: 0, running: 1, online: 0, oldest: undefined },
    { type: 'd', waiting: 0, running: 0, online: 1, oldest: undefined },
  ])
})
