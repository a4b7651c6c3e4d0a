// What `kubectl describe` shows of the colony's objects.

import { expect, it } from 'vitest'
import { database, definitionOf, type Handled, handledColony } from './handled.fixture.ts'

interface Told {
  readonly type: string
  readonly reason: string
  readonly note?: string
  readonly message?: string
  readonly involvedObject?: { readonly kind: string; readonly name: string; readonly apiVersion: string }
  readonly regarding?: { readonly kind: string; readonly name: string; readonly apiVersion: string }
}

/** Events are sent when time passes, each as `KIND/NAME TYPE REASON`. */
const eventsOf = ({ colony, clock }: Handled, namespace = 'dev') => {
  clock.advance(1)
  const events = colony.api.list({ group: '', resource: 'events' }, namespace) as unknown as Told[]
  return events.map(({ type, reason, regarding, involvedObject, note, message }) => {
    const { kind, name } = regarding ?? involvedObject ?? { kind: '', name: '' }
    return { about: `${kind}/${name} ${type} ${reason}`, text: note ?? message ?? '' }
  })
}

it('a resource tells who got its run, that it was reconciled, and why a run failed', async () => {
  const handled = await handledColony()
  const { user, take, finish } = handled
  await user.create({ group: 'storage.colonies.io', resource: 'databases' }, database())
  const first = await take()
  await finish(first, { result: 'Failed', errors: ['no disk'] })
  await expect
    .poll(() => eventsOf(handled))
    .toEqual(
      expect.arrayContaining([
        { about: 'Database/orders Normal Assigned', text: expect.stringContaining('was assigned to executor db') },
        { about: 'Database/orders Warning ReconcileFailed', text: expect.stringContaining('no disk') },
        { about: `Process/${first.metadata.name} Warning AttemptFailed`, text: expect.stringContaining('no disk') },
      ]),
    )
  handled.clock.advance(1000)
  await finish(await take())
  await expect
    .poll(() => eventsOf(handled))
    .toContainEqual({ about: 'Database/orders Normal Reconciled', text: 'executor db reconciled generation 1' })
})

it('a run that only looks, and finds all as it was, tells nothing', async () => {
  const handler = { executorType: 'db', functionName: 'reconcile_database', reconcileInterval: 60 }
  const handled = await handledColony([definitionOf('Database', { handler })])
  const { user, take, finish, clock, untilWaiting } = handled
  await user.create({ group: 'storage.colonies.io', resource: 'databases' }, database())
  await finish(await take())
  await expect.poll(() => eventsOf(handled).length).toBe(2)
  clock.advance(120_000)
  await untilWaiting()
  await finish(await take())
  clock.advance(60_000)
  expect(eventsOf(handled)).toHaveLength(2)
})

it('an executor that is lost, a process that takes too long, and a definition tell so', async () => {
  const handled = await handledColony()
  const { register, submit, assign, clock } = handled
  await register('e1')
  await submit('slow', { maxExecSeconds: 5, maxRetries: 0 })
  await assign('e1')
  clock.advance(5000)
  await expect
    .poll(() => eventsOf(handled))
    .toContainEqual({
      about: 'Process/slow Warning ExecTimeExceeded',
      text: 'failed for good: Maximum execution time limit exceeded',
    })
  clock.advance(30_000)
  await expect.poll(() => eventsOf(handled).map(({ about }) => about)).toContain('Executor/e1 Warning Lost')
  await expect
    .poll(() => eventsOf(handled, 'default').map(({ about }) => about))
    .toContain('ResourceDefinition/databases.storage.colonies.io Normal Accepted')
})
