// What `/readyz` and `/metrics` of a server on etcd say while its cluster cannot take writes, and that it goes on by itself.

import { etcdMissing } from '@homeostat/store/testing/etcd/etcd-program'
import { describe, expect, test } from 'vitest'
import { EtcdServers, etcdForTest } from './etcd-servers.ts'

const PATIENCE = { timeout: 60_000 }
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

async function ask(url: string) {
  const response = await fetch(url)
  return { status: response.status, text: await response.text() }
}

/** Resolves to the status and the message of the answer. */
async function make(url: string, name: string, bytes: number) {
  const body = JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: { filler: 'x'.repeat(bytes) },
  })
  const response = await fetch(url + CONFIG_MAPS, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const { message = '' } = (await response.json()) as { message?: string }
  return { status: response.status, message }
}

const stateOf = async (url: string, state: string) =>
  new RegExp(`homeostat_etcd_state{state="${state}"} (\\d)`).exec((await ask(`${url}/metrics`)).text)?.[1]

describe.skipIf(etcdMissing() !== undefined)('a server on etcd', () => {
  test('says that the database is full, serves reads meanwhile, and goes on when there is room', async () => {
    const cluster = await etcdForTest({ members: 1, quotaBytes: 16 << 20 })
    const { url } = await new EtcdServers(cluster.endpoints).start()
    let refused = { status: 201, message: '' }
    for (let i = 0; refused.status === 201 && i < 40; i++) refused = await make(url, `big-${i}`, 900 << 10)
    expect(refused).toMatchObject({
      status: 503,
      message: expect.stringMatching(/nothing was changed.*space exceeded/),
    })
    await expect
      .poll(() => ask(`${url}/readyz`), PATIENCE)
      .toMatchObject({ status: 500, text: expect.stringMatching(/\[-\]store failed: .*NOSPACE.*disarm the alarm/) })
    expect(await stateOf(url, 'no-space')).toBe('1')
    expect((await ask(`${url}${CONFIG_MAPS}/big-0`)).status).toBe(200)
    const { header } = await cluster.call('/v3/kv/range', { key: btoa('k') })
    // What etcd lets somebody do who has no room: delete, compact, defragment.
    for (let i = 0; i < 10; i++) await cluster.call('/v3/kv/deleterange', keyOf(`big-${i}`))
    await cluster.call('/v3/kv/compaction', { revision: header.revision, physical: true })
    await cluster.call('/v3/maintenance/defragment', {})
    const { alarms } = await cluster.call('/v3/maintenance/alarm', { action: 'GET' })
    for (const { memberID, alarm } of alarms)
      await cluster.call('/v3/maintenance/alarm', { action: 'DEACTIVATE', memberID, alarm })
    await expect.poll(() => ask(`${url}/readyz`), PATIENCE).toMatchObject({ status: 200 })
    expect(await stateOf(url, 'no-space')).toBe('0')
    expect(await make(url, 'small', 10)).toMatchObject({ status: 201 })
  })

  test('says that there is no quorum, and goes on when it is back', async () => {
    const cluster = await etcdForTest()
    const { url } = await new EtcdServers(cluster.endpoints).start('--etcd-max-request', '64KiB')
    expect(await make(url, 'large', 65 << 10)).toMatchObject({
      status: 413,
      message: expect.stringMatching(/the object has \d+ bytes, the limit is \d+/),
    })
    const [first, second] = cluster.members
    await Promise.all([first?.kill(), second?.kill()])
    await expect
      .poll(() => ask(`${url}/readyz?verbose`), PATIENCE)
      .toMatchObject({
        status: 500,
        text: expect.stringMatching(/\[-\]store failed: .*(majority|ECONNREFUSED|no leader)/),
      })
    await expect
      .poll(async () => [await stateOf(url, 'no-leader'), await stateOf(url, 'unreachable')], PATIENCE)
      .toContain('1')
    expect((await ask(`${url}/livez`)).status).toBe(200)
    expect((await ask(`${url}${CONFIG_MAPS}?resourceVersion=0`)).status).toBe(200)
    await Promise.all([first?.start(), second?.start()])
    await expect.poll(() => ask(`${url}/readyz`), PATIENCE).toMatchObject({ status: 200 })
    expect(await make(url, 'small', 10)).toMatchObject({ status: 201 })
    expect(await stateOf(url, 'no-leader')).toBe('0')
  })
})

function keyOf(name: string) {
  return { key: btoa(`/homeostat/object/core/configmaps/default/${name}`) }
}
