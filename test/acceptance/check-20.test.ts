// Check 20: editing replicas 3 to 5 and resubmitting starts exactly 2 more; to 1 stops exactly 4, verified by OS process ids; killing
// one by hand is healed on the next periodic reconcile.

import { isAlive } from '@homeostat/runtimes/testing/os-process'
import { expect, test } from 'vitest'
import { definition, deployments, startedPids } from './executor-deployments.ts'

test('check 20', async () => {
  const { register, submit, controller, ready } = await deployments()
  await register()
  const { lines } = await controller()
  await submit(3)
  await ready(3)
  const three = startedPids(lines)
  await submit(5)
  await ready(5)
  const five = startedPids(lines)
  expect([three.length, five.length, five.filter(isAlive).length]).toEqual([3, 5, 5])
  expect(five.slice(0, 3)).toEqual(three)
  await submit(1)
  await ready(1)
  await expect.poll(() => five.filter(isAlive).length).toBe(1)
  expect(startedPids(lines)).toEqual(five)
  const [last = 0] = five.filter(isAlive)
  process.kill(last, 'SIGKILL')
  const handler = { ...(definition.spec?.handler as object), reconcileInterval: 1 }
  await register({ ...definition, spec: { ...definition.spec, handler } })
  await expect.poll(() => startedPids(lines).filter(isAlive).length).toBe(1)
  expect(startedPids(lines)).toHaveLength(6)
})
