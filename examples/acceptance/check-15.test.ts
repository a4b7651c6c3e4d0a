// Check 15: a resource depending on a missing PostgresDatabase shows MissingDependency, then WaitingForDependency, then Ready as the
// dependency appears and becomes Ready, with no manual trigger. The whole way on a real PostgreSQL, and back, is in
// examples/homelab/systems/authentik-server.test.ts.

import type { LooseObject } from '@homeostat/client'
import { expect, test } from 'vitest'
import { authentikEnv, authentikRef, createDependency, dependencyIs, readyPods } from '../homelab/authentik.fixture.ts'
import { conditionsOf } from './guide-server.fixture.ts'

test('check 15', async () => {
  const env = await authentikEnv()
  const becomes = (wanted: string) =>
    env.until<LooseObject>(authentikRef, (object) => conditionsOf(object).Database === wanted)
  const missing = await becomes('False MissingDependency')
  expect(conditionsOf(missing).Ready).toBe('False MissingDependency')
  expect(missing.status?.conditions?.find(({ type }) => type === 'Database')?.message).toBe(
    'PostgresDatabase homelab/test2 not found',
  )
  await createDependency(env, 'PostgresDatabase', 'test2')
  await becomes('False WaitingForDependency')
  await dependencyIs(env, 'PostgresDatabase', 'test2', true)
  await becomes('True Ready')
  expect(conditionsOf(await readyPods(env)).Ready).toBe('True Ready')
  await dependencyIs(env, 'PostgresDatabase', 'test2', false)
  expect(conditionsOf(await becomes('False WaitingForDependency')).Healthy).toBe('False WaitingForDependency')
})
