// Two programs under the name of one executor, and executors without room.

import { describe, expect, it } from 'vitest'
import { names, startColony } from './colony-calls.ts'

type Calls = Awaited<ReturnType<typeof startColony>>

const registerAs = ({ patch }: Calls, name: string, instance: string) =>
  patch(`/executors/${name}`, { metadata: { annotations: { 'colonies.io/instance': instance } } })

describe('the name of an executor', () => {
  it('is that of the program that was started last: the other is notified at once', async () => {
    const calls = await startColony()
    const { register, assign, heartbeat, submit, send } = calls
    await register('e1')
    await registerAs(calls, 'e1', 'first')
    const poll = assign('e1', { instance: 'first' }, 300)
    await expect.poll(() => calls.colony.colony.waiting).toBe(1)
    await registerAs(calls, 'e1', 'second')
    expect(names(await poll)).toEqual([])
    await submit('a')
    const refused = await assign('e1', { instance: 'first' })
    expect(refused).toMatchObject({
      status: 409,
      body: { details: { causes: [{ reason: 'ExecutorReplaced', field: 'instance' }] } },
    })
    expect((await send('POST', '/executors/e1/heartbeat', { instance: 'first' })).status).toBe(409)
    expect(names(await assign('e1', { instance: 'second' }))).toEqual(['a'])
    // Who says nothing of itself is not told apart.
    expect((await heartbeat('e1')).status).toBe(200)
  })
})

describe('an executor without room', () => {
  it('waits for cancels alone, and hears of one at once', async () => {
    const { register, assign, submit, patch, clock } = await startColony()
    await register('e1')
    await submit('a')
    await submit('b')
    expect(names(await assign('e1'))).toEqual(['a'])
    const before = clock.timers
    const listening = assign('e1', { max: 0 }, 300)
    await expect.poll(() => clock.timers).toBeGreaterThan(before)
    await patch('/processes/a', { spec: { cancel: true } })
    expect((await listening).body).toMatchObject({ processes: [], cancelled: [{ process: 'a', attempt: 1 }] })
    // What was told is not news again.
    const then = clock.timers
    const again = assign('e1', { max: 0 }, 5)
    await expect.poll(() => clock.timers).toBeGreaterThan(then)
    clock.advance(5000)
    expect((await again).body.processes).toEqual([])
  })
})
