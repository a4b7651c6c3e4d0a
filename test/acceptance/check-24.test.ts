// Check 24: two executors of one type polling 1,000 waiting processes never get the same one, higher priority goes first, FIFO
// within a priority, and an idle long-poll gets a new process. (That it does so within 50 ms is measured by the bench.)

import { silentLog } from '@homeostat/base'
import { executor } from '@homeostat/executor'
import { expect, onTestFinished, test } from 'vitest'
import { colonyServer } from './colony-server.ts'

test('check 24', async () => {
  const { create, client } = await colonyServer()
  const [COUNT, HIGH] = [1000, 10]
  const submit = (name: string, priority: number) =>
    create('Process', name, { funcName: 'f', args: [name], priority, conditions: { executorType: 'two' } })
  const names = Array.from({ length: COUNT }, (_, i) => `low-${i}`)
  for (let from = 0; from < COUNT; from += 100) {
    const answers = await Promise.all(names.slice(from, from + 100).map((name) => submit(name, 0)))
    expect(answers.every(({ status }) => status === 201)).toBe(true)
  }
  for (let i = 0; i < HIGH; i++) await submit(`high-${i}`, 5)
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
  await expect.poll(() => taken.length, { timeout: 120_000 }).toBeGreaterThanOrEqual(COUNT + HIGH)
  expect(new Set(taken).size).toBe(COUNT + HIGH)
  expect(taken).toHaveLength(COUNT + HIGH)
  expect([...by].sort()).toEqual(['a', 'b'])
  // Two take in turns: each is at most one place away from its own.
  const first = taken.slice(0, HIGH)
  expect(first.toSorted()).toEqual(Array.from({ length: HIGH }, (_, i) => `high-${i}`).toSorted())
  const last = await submit('late', 0)
  expect(last.status).toBe(201)
  await expect.poll(() => taken.at(-1), { timeout: 30_000 }).toBe('late')
}, 180_000)
