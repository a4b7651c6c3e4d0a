import { ManualClock, silentLog } from '@homeostat/base'
import { deepEqual } from '@homeostat/meta'
import { expect, it, onTestFinished } from 'vitest'
import { listOf } from '../builtin/fields-of.ts'
import { AggregationController } from './aggregation-controller.ts'
import { memoryApi } from './memory-api.ts'

const ROLES = { group: 'rbac.authorization.k8s.io', resource: 'clusterroles' }
const rule = (verb: string) => ({ verbs: [verb], apiGroups: [''], resources: ['pods'] })

it('keeps roles equal to what they are made of, and writes nothing more', async () => {
  const server = await memoryApi()
  const ending = new AbortController()
  const log = {
    ...silentLog,
    error: (fields: object) => {
      throw new Error(JSON.stringify(fields))
    },
  }
  const running = new AggregationController({ ...server, log, clock: new ManualClock() }).start(ending.signal)
  onTestFinished(async () => {
    ending.abort()
    await running
    await server.close()
  })
  const make = (name: string, labels: Record<string, string>, rules: object[] | null, more: object = {}) =>
    server.api.create(ROLES, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name, labels },
      rules,
      ...more,
    })
  const has = (name: string, wanted: object[]) =>
    server.until(ROLES, () => deepEqual(listOf(server.api.get(ROLES, { name })?.rules), wanted))
  const selecting = (to: string) => ({ aggregationRule: { clusterRoleSelectors: [{ matchLabels: { to } }] } })
  await make('inner', { to: 'outer' }, null, selecting('inner'))
  await make('outer', {}, null, selecting('outer'))
  await make('part', { to: 'inner' }, [rule('get')])
  await has('outer', [rule('get')])
  await server.api.change(ROLES, { name: 'part' }, (part) => {
    part.rules = [rule('list')]
  })
  await has('outer', [rule('list')])
  const revision = server.revision()
  await server.api.delete(ROLES, { name: 'part' })
  await has('outer', [])
  expect(server.revision()).toBe(revision + 3)
})
