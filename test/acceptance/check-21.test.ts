// Check 21: deleting the resource runs cleanup first (finalizer), leaving no process; if no controller is running the object stays
// Terminating and finishes when one comes up.

import { isAlive } from '@homeostat/runtimes/testing/os-process'
import { expect, test } from 'vitest'
import { deployments, startedPids } from './executor-deployments.ts'

test('check 21', async () => {
  const { register, submit, controller, ready, find, delete: remove } = await deployments()
  await register()
  const first = await controller()
  await submit(2)
  await ready(2)
  const pids = startedPids(first.lines)
  await first.end()
  await remove()
  const { metadata } = (await find()) ?? {}
  expect(metadata).toMatchObject({ finalizers: ['colonies.io/handler'], deletionTimestamp: expect.any(String) })
  expect(pids.filter(isAlive)).toHaveLength(2)
  await controller()
  await expect.poll(find).toBeUndefined()
  expect(pids.filter(isAlive)).toEqual([])
})
