// A namespace that is deleted while its executors live: it goes, stays gone, and what ran for it ends.

import { silentLog } from '@homeostat/base'
import type { ApiObject } from '@homeostat/client'
import { executor } from '@homeostat/executor'
import { type TestColony, testColony } from '@homeostat/testing/colony'
import { expect, it, onTestFinished } from 'vitest'

async function started(): Promise<TestColony> {
  const colony = await testColony()
  onTestFinished(() => colony.close())
  return colony
}

async function deleteNamespace({ client }: TestColony, name: string): Promise<void> {
  const namespaces = client.resourceOf<ApiObject>('v1', 'Namespace')
  await namespaces.delete({ name })
  await expect.poll(() => namespaces.find({ name })).toBeUndefined()
}

it('an executor ends with what it runs, and does not bring it back', async () => {
  const colony = await started()
  const { client } = colony
  const begun = Promise.withResolvers<AbortSignal>()
  const running = executor({
    type: 'ml',
    colony: 'doomed',
    client,
    log: silentLog,
    functions: {
      work: async ({ signal }) => {
        begun.resolve(signal)
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      },
    },
  })
  onTestFinished(() => running.close())
  await running.ready
  await client.resourceOf<ApiObject>('colonies.io/v1', 'Process').create({
    apiVersion: 'colonies.io/v1',
    kind: 'Process',
    metadata: { name: 'a', namespace: 'doomed' },
    spec: { funcName: 'work', conditions: { executorType: 'ml' } },
  } as ApiObject)
  const signal = await begun.promise
  await deleteNamespace(colony, 'doomed')
  await expect(running.done).rejects.toMatchObject({ reason: 'ColonyDeleted' })
  expect(signal.aborted).toBe(true)
  await running.close()
  expect(await client.resourceOf<ApiObject>('v1', 'Namespace').find({ name: 'doomed' })).toBeUndefined()
})
