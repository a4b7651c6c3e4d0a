// Check 25: a process with maxexectime 1 and maxretries 2 whose executor dies is reassigned, then fails with the time-limit error
// after the third try; maxwaittime 1 with no executor fails too; the dead executor's late close is refused.

import { expect, test } from 'vitest'
import { colonyServer } from './colony-server.ts'

test('check 25', async () => {
  const { create, send } = await colonyServer()
  const conditions = { executorType: 'mortal' }
  await create('Executor', 'dead', { type: 'mortal' })
  await create('Process', 'late', { funcName: 'f', maxExecSeconds: 1, maxRetries: 2, conditions })
  await create('Process', 'unheard', { funcName: 'f', maxWaitSeconds: 1, conditions: { executorType: 'nobody' } })
  const status = async (name: string) => (await send('GET', `/processes/${name}`)).body.status
  const tries: unknown[] = []
  for (let attempt = 1; attempt <= 3; attempt++) {
    const take = async () => {
      const { body } = await send('POST', '/executors/dead/assign?timeoutSeconds=1', { max: 1 })
      const [one] = (body as unknown as { processes?: { metadata: { name?: string } }[] }).processes ?? []
      return one?.metadata.name
    }
    await expect.poll(take).toBe('late')
    tries.push((await status('late'))?.attempt)
    if (attempt === 1) await expect.poll(async () => (await status('late'))?.phase).toBe('Waiting')
  }
  expect(tries).toEqual([1, 2, 3])
  await expect.poll(async () => (await status('late'))?.phase).toBe('Failed')
  expect(JSON.stringify(await status('late'))).toContain('ExecTimeExceeded')
  const refused = await send('POST', '/processes/late/close', { executor: 'dead', attempt: 3, result: 'Succeeded' })
  expect(refused.status).toBe(409)
  await expect.poll(async () => (await status('unheard'))?.phase).toBe('Failed')
})
