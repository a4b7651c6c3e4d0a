import { MemoryStore } from '@homeostat/store'
import { expect, it, onTestFinished } from 'vitest'
import { DATABASES, database, type Handled, handledColony } from './handled.fixture.ts'

function newStore(): MemoryStore {
  const store = new MemoryStore()
  onTestFinished(() => store.close())
  return store
}

const revision = ({ user }: Handled, name: string) => user.object(DATABASES, { namespace: 'dev', name })?.revision

it('after a restart, what is at rest is left alone', async () => {
  const store = newStore()
  const first = await handledColony(undefined, { store })
  await first.user.create(DATABASES, database())
  await first.finish(await first.take(), { status: { phase: 'Running' } })
  await first.untilCondition('Progressing', 'False/Reconciled')
  const before = revision(first, 'orders')
  await first.colony.close()
  const second = await handledColony([], { store })
  // Whoever comes later is looked at later.
  await second.user.create(DATABASES, database('later'))
  const process = await second.untilWaiting()
  expect(process.spec.label).toBe('Database/later')
  expect(revision(second, 'orders')).toBe(before)
})

it('after a restart, what waits waits once, and what runs is closed by whoever runs it', async () => {
  const store = newStore()
  const first = await handledColony(undefined, { store })
  await first.user.create(DATABASES, database('running'))
  const running = await first.take()
  await first.user.create(DATABASES, database('waiting'))
  const waiting = await first.untilWaiting()
  await first.colony.close()
  const second = await handledColony([], { store })
  await second.finish(running, { status: { phase: 'Done' } })
  await second.untilCondition('Ready', 'True/Reconciled', 'running')
  expect(second.waiting().map(({ metadata }) => metadata.name)).toEqual([waiting.metadata.name])
  await second.finish(await second.take())
  await second.untilCondition('Ready', 'True/Reconciled', 'waiting')
  expect(second.processes()).toHaveLength(2)
})

it('after a restart, a resource whose deletion was waiting for a controller is cleaned up', async () => {
  const store = newStore()
  const first = await handledColony(undefined, { store })
  await first.user.create(DATABASES, database())
  await first.finish(await first.take())
  await first.user.delete(DATABASES, { namespace: 'dev', name: 'orders' })
  await first.untilWaiting()
  await first.colony.close()
  const second = await handledColony([], { store })
  expect(second.get()?.metadata.deletionTimestamp).toBeDefined()
  await second.finish(await second.take())
  await second.until(() => second.get() === undefined)
})
