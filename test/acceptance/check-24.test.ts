// Check 24: two executors of one type polling 1,000 waiting processes never get the same one, higher priority goes first, FIFO
// within a priority, and an idle long-poll gets a new process. (That it does so within 50 ms is measured by the bench.)

import { silentLog } from '@homeostat/base'
import { executor } from '@homeostat/executor'
import { expect, onTestFinished, test } from 'vitest'
import { type WatchedEvent, WatchReader } from '../watch-reader.ts'
import { type Answer, colonyServer } from './colony-server.ts'

test('check 24', async () => {
  const { url, send, create, client } = await colonyServer()
  const [COUNT, HIGH] = [1000, 10]
  const submit = (name: string, priority: number) =>
    create('Process', name, { funcName: 'f', args: [name], priority, conditions: { executorType: 'two' } })
  const names = Array.from({ length: COUNT }, (_, i) => `low-${i}`)
  for (let from = 0; from < COUNT; from += 100) {
    const answers = await Promise.all(names.slice(from, from + 100).map((name) => submit(name, 0)))
    expect(answers.every(({ status }) => status === 201)).toBe(true)
  }
  for (let i = 0; i < HIGH; i++) await submit(`high-${i}`, 5)
  const stored = (await send('GET', '/processes')).body
  const assigned = new WatchReader({
    path: '/apis/colonies.io/v1/namespaces/default/processes',
    from: Number(stored.metadata.resourceVersion),
  })
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const following = assigned.follow(url, leaving.signal)
  const taken: string[] = []
  const by = new Set<string>()
  const start = (name: string, concurrency: number) => {
    const f = ({ args }: { args: readonly unknown[] }) => {
      taken.push(String(args[0]))
      by.add(name)
    }
    const running = executor({ client, name, type: 'two', functions: { f }, log: silentLog, drain: '0s', concurrency })
    onTestFinished(() => running.close())
    return running.ready
  }
  await Promise.all([start('a', 1), start('b', 1)])
  await expect.poll(() => taken.length).toBeGreaterThanOrEqual(COUNT + HIGH)
  expect(new Set(taken).size).toBe(COUNT + HIGH)
  expect(taken).toHaveLength(COUNT + HIGH)
  expect([...by].sort()).toEqual(['a', 'b'])
  // The order in which the server assigned them: an executor may begin with its one after the other with a later one.
  const order = () => [...new Set(assigned.events.filter(isRunning).map(({ object }) => object.metadata.name))]
  await expect.poll(() => order().length).toBe(COUNT + HIGH)
  const inOrder = (stored.items ?? []).toSorted(inTurn).map(({ metadata }) => metadata.name)
  // The assignments of one moment are writes at the same time: several servers' store orders them as they come.
  if (process.env.HOMEOSTAT_TEST_ETCD === undefined) expect(order()).toEqual(inOrder)
  else for (const [at, name] of order().entries()) expect(Math.abs(inOrder.indexOf(name) - at)).toBeLessThan(50)
  leaving.abort()
  await following
  const last = await submit('late', 0)
  expect(last.status).toBe(201)
  await expect.poll(() => taken.at(-1)).toBe('late')
})

function isRunning({ object }: WatchedEvent): boolean {
  return (object as Answer).status?.phase === 'Running'
}

/** Higher priority first, and the earlier of two that have the same. */
function inTurn(a: Answer, b: Answer): number {
  const submitted = ({ status }: Answer) => String(status?.submittedAt)
  return Number(b.spec?.priority) - Number(a.spec?.priority) || (submitted(a) < submitted(b) ? -1 : 1)
}
