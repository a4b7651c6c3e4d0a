import { expect, it } from 'vitest'
import { startColony } from './colony-calls.ts'

it('a namespace has as many waiting Processes as its annotation says, and a submit beyond gets a 429', async () => {
  const { submit, register, assign, colony, close } = await startColony()
  await submit('first')
  await colony.api.change({ group: '', resource: 'namespaces' }, { name: 'dev' }, ({ metadata }) => {
    metadata.annotations = { ...metadata.annotations, 'colonies.io/max-waiting': '3' }
  })
  // Also those that are being stored count.
  const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => submit(name)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 429, 429])
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.body.message).toContain('3 Processes wait in the namespace dev, which is its limit')
  expect(refused?.body.reason).toBe('TooManyRequests')
  await register('e1')
  const { body } = await assign('e1')
  expect((await submit('next')).status).toBe(201)
  expect((await submit('more')).status).toBe(429)
  // What fails and waits again is not refused.
  const name = body.processes[0]?.metadata.name ?? ''
  expect((await close(name, { executor: 'e1', attempt: 1, result: 'Failed' })).status).toBe(200)
  // Nor is one for an executor that waits for it.
  await register('e2', { type: 'idle' })
  const waiting = assign('e2', {}, 20)
  await expect.poll(() => colony.colony.waiting).toBe(1)
  expect((await submit('taken', { conditions: { executorType: 'idle' } })).status).toBe(201)
  expect((await waiting).body.processes.length).toBe(1)
})
