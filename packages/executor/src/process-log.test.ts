import { ManualClock } from '@homeostat/base'
import { until } from '@homeostat/base/testing/eventually'
import { notFound } from '@homeostat/meta'
import { expect, test, vi } from 'vitest'
import { executor } from './executor.ts'
import { FakeColony } from './fake-colony.fixture.ts'
import { ProcessLog } from './process-log.ts'

function logTo(send: (text: string) => Promise<void>) {
  const clock = new ManualClock()
  const onRefused = vi.fn()
  return { clock, onRefused, log: new ProcessLog({ send, clock, random: () => 0, onRefused }) }
}

test('texts are gathered for a moment and sent as lines', async () => {
  const sent: string[] = []
  const { clock, log } = logTo(async (text) => void sent.push(text))
  log.write('one')
  log.write('two\n')
  clock.advance(199)
  expect(sent).toEqual([])
  clock.advance(1)
  expect(sent).toEqual(['one\ntwo\n'])
  log.write('three')
  await log.flush()
  expect(sent).toEqual(['one\ntwo\n', 'three\n'])
  log.write('after the end')
  expect(clock.timers).toBe(0)
})

test('much is sent at once, in order and one request at a time', async () => {
  const sent: string[] = []
  const gates: (() => void)[] = []
  const { log } = logTo((text) => {
    sent.push(text)
    return new Promise((resolve) => gates.push(resolve))
  })
  const large = 'x'.repeat(64 * 1024)
  log.write(large)
  log.write('second')
  log.write('third')
  expect(sent).toEqual([`${large}\n`])
  gates.shift()?.()
  await until(() => expect(sent).toHaveLength(2))
  expect(sent[1]).toBe('second\nthird\n')
  gates.shift()?.()
  await log.flush()
})

test('a server that does not take it costs a bounded amount, which is said', async () => {
  const sent: string[] = []
  const gates: (() => void)[] = []
  const { log } = logTo((text) => {
    sent.push(text)
    return new Promise((resolve) => gates.push(resolve))
  })
  const line = 'x'.repeat(99_999)
  for (let i = 0; i < 20; i++) log.write(line)
  gates.shift()?.()
  await until(() => expect(sent).toHaveLength(2))
  expect(sent.join('').length).toBe(1_000_000)
  gates.shift()?.()
  const flushed = log.flush()
  await until(() => expect(sent).toHaveLength(3))
  expect(sent[2]).toBe('[1000000 characters were left out: the server did not take them in time]\n')
  gates.shift()?.()
  await flushed
})

test('a broken connection is tried again; the end does not wait for ever', async () => {
  let tries = 0
  const { clock, log, onRefused } = logTo(() => {
    tries++
    return Promise.reject(new Error('broken'))
  })
  log.write('text')
  clock.advance(200)
  await until(() => expect(clock.timers).toBe(1))
  clock.advance(500)
  await until(() => expect(tries).toBe(2))
  const flushed = log.flush()
  clock.advance(5000)
  await flushed
  expect(clock.timers).toBe(0)
  expect(onRefused).not.toHaveBeenCalled()
})

test('a log that the server refuses is given up, which is said once', async () => {
  const { clock, log, onRefused } = logTo(() => Promise.reject(notFound({ group: '', resource: 'processes' }, 'a')))
  log.write('text')
  clock.advance(200)
  await until(() => expect(onRefused).toHaveBeenCalledOnce())
  log.write('more')
  await log.flush()
  expect(onRefused).toHaveBeenCalledOnce()
  expect(clock.timers).toBe(0)
})

test('what a function logs is there before its process is closed', async () => {
  const colony = new FakeColony()
  colony.submit('a')
  const work = ({ log }: { log(text: string): void }) => {
    for (let i = 0; i < 1000; i++) log(`line ${i}`)
  }
  await using running = executor({
    type: 'python',
    functions: { work },
    colony: 'lab',
    name: 'one',
    client: colony.client,
  })
  await until(() => expect(colony.closed).toHaveLength(1))
  expect(running.name).toBe('one')
  const lines = Array.from({ length: 1000 }, (_, i) => `line ${i}\n`)
  expect(colony.logs.get('a')).toBe(lines.join(''))
  const order = colony.calls.map(({ what }) => what).filter((what) => what !== 'register')
  expect(order.slice(0, 3)).toEqual(['assign', 'log', 'assign'])
  expect(colony.calls.find(({ what }) => what === 'log')?.path).toBe(
    '/apis/colonies.io/v1/namespaces/lab/processes/a/log?executor=one&attempt=1',
  )
})
