// Check 19: seed 001's steps end to end: register-crd prints the six details, the controller starts, a submit with 3 replicas really
// starts 3 local processes with config.env, and the status shows phase Running, ready 3 and 3 deployedExecutors.

import { environmentOf, isAlive } from '@homeostat/runtimes/testing/os-process'
import { expect, test } from 'vitest'
import { deployments, startedPids } from './executor-deployments.ts'

test('check 19', async () => {
  const { register, submit, controller, ready } = await deployments()
  const details = (await register()).filter((line) => line.startsWith('  '))
  expect(details.map((line) => line.trim())).toEqual([
    'Name: executordeployments.compute.colonies.io',
    'Group: compute.colonies.io',
    'Version: v1',
    'Kind: ExecutorDeployment',
    'Handler Type: executor-deployment-controller',
    'Handler Function: reconcile_executor_deployment',
  ])
  const { lines } = await controller()
  await submit(3)
  const { status } = await ready(3)
  expect(status).toMatchObject({ phase: 'Running', ready: 3 })
  expect(status?.deployedExecutors).toHaveLength(3)
  const pids = startedPids(lines)
  expect(pids).toHaveLength(3)
  for (const pid of pids) {
    expect(isAlive(pid)).toBe(true)
    expect(environmentOf(pid)).toEqual(expect.arrayContaining(['BATCH_SIZE=32', 'MODEL_CACHE_DIR=/tmp/models']))
  }
})
