// What operators have to act upon, made on real members: each state is in the store's health and among its measures, and ends.

import { describe, expect, it } from 'vitest'
import { note, value } from '../../src/conformance/harness.ts'
import type { Store } from '../../src/contract.ts'
import { openEtcdStore } from '../../src/etcd/open.ts'
import { etcdMissing } from '../etcd/etcd-program.ts'
import { base64, clusterForTests, opened } from './cluster.ts'

function measure(store: Store, name: string, labelValue = ''): number | undefined {
  const found = store.measures?.().find((one) => one.name === name)
  return found?.values.find(([of]) => of === labelValue)?.[1]
}

const state = (store: Store, name: string) => measure(store, 'etcd_state', name)

describe.skipIf(etcdMissing() !== undefined)('a member that asks for a password', () => {
  const login = { user: 'app', password: 'first' }
  const tests = clusterForTests({ members: 1, auth: login })
  const changePassword = (password: string) =>
    tests.cluster.call('/v3/auth/user/changepw', { name: login.user, password })

  it('says so when it has changed, and is used again when it is right', async () => {
    const store = await opened({ ...tests.fresh(), ...login })
    await changePassword('second')
    await expect
      .poll(() => store.health())
      .toMatchObject({ writable: false, reason: expect.stringMatching(/invalid user ID or password \(user app\)/) })
    expect(state(store, 'denied')).toBe(1)
    await changePassword(login.password)
    await expect.poll(() => store.health()).toEqual({ writable: true })
    expect(state(store, 'denied')).toBe(0)
    expect(measure(store, 'etcd_logins_total')).toBeGreaterThan(1)
    expect(await store.put('a', value('x'), undefined, note)).toMatchObject({ type: 'committed' })
  })

  it('is not used by somebody who may not compact', async () => {
    const options = tests.fresh()
    const all = { permType: 'READWRITE', key: base64('\0'), range_end: base64('\0') }
    await tests.cluster.call('/v3/auth/role/add', { name: 'writer' })
    await tests.cluster.call('/v3/auth/role/grant', { name: 'writer', perm: all })
    await tests.cluster.call('/v3/auth/user/add', { name: 'weak', password: 'weak' })
    await tests.cluster.call('/v3/auth/user/grant', { user: 'weak', role: 'writer' })
    await expect(openEtcdStore({ ...options, user: 'weak', password: 'weak' })).rejects.toMatchObject({
      kind: 'denied',
      message: expect.stringMatching(/the user weak may not compact: .*permission denied/),
    })
  })
})

describe.skipIf(etcdMissing() !== undefined)('a member with little room', () => {
  const limit = 128 << 10
  const tests = clusterForTests({ members: 1, quotaBytes: 48 << 20, flags: [`--max-request-bytes=${limit}`] })

  it('refuses what is longer than it takes, whatever the store was told', async () => {
    const store = await opened(tests.fresh())
    expect(await store.put('a', value('x'.repeat(2 * limit)), undefined, note)).toMatchObject({
      type: 'failed',
      tooLarge: true,
    })
    const told = await opened({ ...tests.fresh(), maxRequestBytes: limit })
    expect(told.maxValueBytes).toBeLessThan(limit)
    const fits = 'x'.repeat(told.maxValueBytes - 100)
    expect(await told.put('a', value(fits), undefined, note)).toMatchObject({ type: 'committed' })
    expect(await told.put('b', value(`${fits}${fits}`), undefined, note)).toMatchObject({ tooLarge: true })
  })

  it('is nearly full before it is full, and says what to do', async () => {
    const options = tests.fresh()
    const filling = await opened(options)
    const big = value('x'.repeat(100 << 10))
    // Between 80 % and all of it, with room for the pages that etcd wastes when it commits a few writes at a time.
    for (let i = 0; i < 400; i++)
      expect(await filling.put(`big-${i}`, big, undefined, note)).toMatchObject({ type: 'committed' })
    // A store asks when it is opened, and then every ten seconds.
    const warnings: string[] = []
    const store = await opened({ ...options, onWarning: (warning) => warnings.push(warning) })
    await expect
      .poll(() => store.health())
      .toMatchObject({ writable: true, warning: expect.stringMatching(/of its 48 MiB.*--quota-backend-bytes/) })
    expect(warnings).toEqual([store.health().warning])
    expect(state(store, 'nearly-full')).toBe(1)
    expect(measure(store, 'etcd_database_bytes', 'quota')).toBe(48 << 20)
  })
})
