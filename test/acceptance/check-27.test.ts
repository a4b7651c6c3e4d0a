// Check 27, but for the generator, which no document promises: a cron "0/5 * * * * *" and an interval fire on time, and skip
// while the previous run is active when told to, also after a cancelled run.

import { expect, test } from 'vitest'
import { colonyServer } from './colony-server.ts'

test('check 27', async () => {
  const { create, send, executor } = await colonyServer()
  const runs = async (schedule: string) =>
    (await send('GET', `/processes?labelSelector=colonies.io/schedule=${schedule}`)).body.items ?? []
  const poll = <T>(look: () => Promise<T>) => expect.poll(look)
  const process = (executorType: string) => ({ funcName: 'f', conditions: { executorType } })
  executor('quick', { f: () => 'done' })

  await create('Schedule', 'cron', { cron: '0/5 * * * * *', process: process('quick') })
  await create('Schedule', 'interval', { intervalSeconds: 1, process: process('quick') })
  await create('Schedule', 'exclusive', { intervalSeconds: 1, concurrencyPolicy: 'Forbid', process: process('nobody') })

  await poll(async () => (await runs('cron')).length).toBeGreaterThan(0)
  const [run] = await runs('cron')
  const due = new Date(run?.metadata.annotations?.['colonies.io/scheduled-at'] ?? '')
  expect([due.getSeconds() % 5, due.getMilliseconds()]).toEqual([0, 0])
  expect(Date.parse(String(run?.status?.submittedAt))).toBeGreaterThanOrEqual(due.getTime())
  await poll(async () => (await runs('interval')).length).toBeGreaterThan(1)

  const skipped = async () => (await send('GET', '/schedules/exclusive')).body.status?.skippedTicks
  await poll(skipped).toBeGreaterThan(0)
  const [active] = await runs('exclusive')
  expect((await runs('exclusive')).length).toBe(1)
  await send('PATCH', `/processes/${active?.metadata.name}`, { spec: { cancel: true } })
  const isAnother = async () =>
    (await runs('exclusive')).some(({ metadata }) => metadata.name !== active?.metadata.name)
  await poll(isAnother).toBe(true)
})
