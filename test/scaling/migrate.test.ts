// From a data directory to etcd and back, and backups of a store in etcd, with the command and real servers.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { openSqliteStore, type Store } from '@homeostat/store'
import { openEtcdStore } from '@homeostat/store/etcd'
import { copyStore } from '@homeostat/store/maintenance'
import { etcdMissing } from '@homeostat/store/testing/etcd/etcd-program'
import { describe, expect, test } from 'vitest'
import { homeostat } from '../command-line.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { EtcdServers, etcdForTest } from './etcd-servers.ts'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const json = { 'content-type': 'application/json' }

async function write({ url }: ServerProcess, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const body = JSON.stringify({ metadata: { name }, data: { of: url } })
    expect((await fetch(url + CONFIG_MAPS, { method: 'POST', headers: json, body })).status).toBe(201)
  }
}

async function read({ url }: ServerProcess): Promise<{ names: string[]; revision: number; oldest: number }> {
  const list = (await (await fetch(url + CONFIG_MAPS)).json()) as {
    metadata: { resourceVersion: string }
    items: { metadata: { name: string; resourceVersion: string } }[]
  }
  return {
    names: list.items.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt'),
    revision: Number(list.metadata.resourceVersion),
    oldest: Math.min(...list.items.map(({ metadata }) => Number(metadata.resourceVersion))),
  }
}

/** The objects of clients: servers themselves write Leases. */
async function values(store: Store): Promise<Map<string, string>> {
  const { entries } = await store.range('', { limit: 10_000 })
  await store.close()
  const own = entries.filter(({ key }) => !key.startsWith('coordination.k8s.io/'))
  return new Map(own.map(({ key, value }) => [key, String(value?.bytes)]))
}

describe.skipIf(etcdMissing() !== undefined)('homeostat migrate', () => {
  test('moves a server to etcd and back: no object is lost, no revision is used twice', async () => {
    const { endpoints } = await etcdForTest({ members: 1 })
    const servers = new EtcdServers(endpoints)
    const [directory, back] = [temporaryFolder(), temporaryFolder()]
    const migrate = (...args: readonly string[]) => homeostat('migrate', '--etcd', endpoints.join(','), ...args)
    const alone = await startServer(directory)
    await write(alone, ['a', 'b', 'c'])
    expect(await migrate('--to', 'etcd', '--data-dir', directory)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('in use by another Homeostat process'),
    })
    const before = await read(alone)
    await alone.stop()
    const sqlite = await values(await openSqliteStore({ directory }))
    const there = await migrate('--to', 'etcd', '--data-dir', directory)
    expect(there).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/are the same \(SHA-256/) })
    expect(await values(await openEtcdStore({ endpoints }))).toEqual(sqlite)

    // Two truths would go apart.
    expect(await homeostat('up', '--port', '0', '--data-dir', directory)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /were migrated to the store under \/homeostat in etcd; start with --store etcd, or delete/,
      ),
    })

    const first = await servers.startIn(directory)
    servers.all.push(first)
    const second = await servers.start()
    const moved = await read(second)
    expect(moved.names).toEqual(before.names)
    expect(moved.oldest).toBeGreaterThan(before.revision)
    // A client that watched the server before is told to list anew.
    const stale = await fetch(`${second.url}${CONFIG_MAPS}?watch=1&resourceVersion=${before.revision}`)
    expect(await stale.text()).toContain('"code":410')
    await write(second, ['d'])

    expect(await migrate('--to', 'sqlite', '--data-dir', back)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('a server writes to the store; stop all its servers'),
    })
    expect(await migrate('--to', 'sqlite', '--data-dir', back, '--etcd-prefix', '/typo')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the store under /typo in etcd holds no objects'),
    })
    const after = await read(first)
    await Promise.all([first.stop(), second.stop()])
    const returned = await migrate('--to', 'sqlite', '--data-dir', back)
    expect(returned).toMatchObject({ code: 0, stdout: expect.stringContaining('has no keys: bring those') })
    expect(await values(await openSqliteStore({ directory: back }))).toEqual(
      await values(await openEtcdStore({ endpoints, acceptMoved: true })),
    )
    // Nor does anybody go on with what is left in etcd.
    expect(await homeostat('up', '--port', '0', '--data-dir', directory, ...servers.flags)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/the objects were migrated to .*; delete the key \/homeostat\/meta\/moved in etcd/),
    })
    const again = await startServer(back)
    const last = await read(again)
    expect(last.names).toEqual(['a', 'b', 'c', 'd'])
    expect(last.oldest).toBeGreaterThan(after.revision)
    expect(await migrate('--to', 'etcd', '--data-dir', directory)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('holds objects already'),
    })
  })

  test('that was cut off keeps servers from starting, and the same command ends it', async () => {
    const { endpoints } = await etcdForTest({ members: 1 })
    const directory = temporaryFolder()
    const alone = await startServer(directory)
    await write(alone, ['a', 'b', 'c'])
    await alone.stop()
    const [source, target] = [await openSqliteStore({ directory }), await openEtcdStore({ endpoints })]
    const cut = copyStore(source, target, {
      now: () => 0,
      copied() {
        throw new Error('cut off')
      },
    })
    await expect(cut).rejects.toThrow('cut off')
    await Promise.all([source.close(), target.close()])
    const up = await homeostat('up', '--port', '0', '--data-dir', directory, ...new EtcdServers(endpoints).flags)
    expect(up).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/has not ended; run the same `homeostat migrate`/),
    })
    const ended = await homeostat('migrate', '--to', 'etcd', '--etcd', endpoints.join(','), '--data-dir', directory)
    expect(ended).toMatchObject({ code: 0 })
    const server = await new EtcdServers(endpoints).startIn(directory)
    expect((await read(server)).names).toEqual(['a', 'b', 'c'])
  })
})

describe.skipIf(etcdMissing() !== undefined)('a backup of servers on etcd', () => {
  test('is made while they run, with their keys, and becomes a server of its own or goes back to etcd', async () => {
    const cluster = await etcdForTest({ members: 1 })
    const servers = new EtcdServers(cluster.endpoints)
    const server = await servers.start()
    await write(server, ['a', 'b'])
    const [file, restored] = [join(temporaryFolder(), 'backup.db'), temporaryFolder()]
    const backup = ['backup', file, '--data-dir', server.directory, '--with-keys']
    expect(await homeostat(...backup)).toMatchObject({ code: 1, stderr: expect.stringContaining('--store etcd') })
    expect(existsSync(file)).toBe(false)
    expect(await homeostat(...backup, ...servers.flags)).toMatchObject({ code: 0 })
    expect(await homeostat(...backup, ...servers.flags)).toMatchObject({ code: 1 })
    const { revision } = await read(server)
    await server.stop()
    expect(await homeostat('restore', file, '--data-dir', restored)).toMatchObject({ code: 0 })
    const empty = await etcdForTest({ members: 1 })
    const moved = ['migrate', '--to', 'etcd', '--data-dir', restored, '--etcd', empty.endpoints.join(',')]
    expect(await homeostat(...moved)).toMatchObject({ code: 0 })
    const again = await new EtcdServers(empty.endpoints).startIn(restored)
    const found = await read(again)
    expect(found.names).toEqual(['a', 'b'])
    expect(found.oldest).toBeGreaterThan(revision)
    // The administrator's certificate of before is from the authority that came along.
    expect(await homeostat('get', 'configmaps', '--kubeconfig', again.kubeconfig)).toMatchObject({ code: 0 })
  })
})
