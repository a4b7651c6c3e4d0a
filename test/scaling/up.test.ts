// `homeostat up --store etcd` on a real etcd: servers find each other, and what is wrong is said in a line.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { etcdMissing } from '@homeostat/store/testing/etcd/etcd-program'
import { describe, expect, test } from 'vitest'
import { homeostat } from '../command-line.ts'
import { EtcdServers, etcdForTest } from './etcd-servers.ts'

describe.skipIf(etcdMissing() !== undefined)('homeostat up --store etcd', () => {
  test('three servers serve the same objects, know each other and share the duties', async () => {
    const servers = new EtcdServers((await etcdForTest()).endpoints)
    const [a, b, c] = [await servers.start(), await servers.start(), await servers.start()]
    const path = '/api/v1/namespaces/default/configmaps'
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made-on-a' } })
    const made = await fetch(a.url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    expect(made.status).toBe(201)
    const { metadata } = (await made.json()) as { metadata: { resourceVersion: string } }
    for (const { url } of [b, c]) {
      const read = (await (await fetch(`${url}${path}/made-on-a`)).json()) as { metadata: unknown }
      expect(read.metadata).toEqual(metadata)
    }
    await expect
      .poll(async () => (await homeostat('server', 'list', '--kubeconfig', c.kubeconfig)).stdout)
      .toMatch(/(\S+ +https:\/\/127\.0\.0\.1:\d+ +Online.*\n){3}/)
    // What one made a token of, another takes: they have the same keys. Its certificate is trusted by all kubeconfigs.
    for (const server of [a, b, c])
      expect(await homeostat('get', 'configmaps', '--server', c.url, '--kubeconfig', server.kubeconfig)).toMatchObject({
        code: 0,
      })
    for (const { url } of [a, b, c]) expect(await (await fetch(`${url}/readyz`)).text()).toBe('ok')
    const second = await homeostat('up', ...servers.flags, '--port', '0', '--data-dir', b.directory)
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('in use by another Homeostat process') })
    const stranger = await homeostat('up', ...servers.flags, '--port', '0', '--data-dir', temporaryFolder())
    expect(stranger).toMatchObject({ code: 1, stderr: expect.stringMatching(/another authority.*--join-file/) })
    expect((await c.stop()).code).toBe(0)
  })

  test('a data directory belongs to one store: a wrong prefix, or an etcd without its data, is no empty store', async () => {
    const cluster = await etcdForTest({ members: 1 })
    const servers = new EtcdServers(cluster.endpoints)
    const first = await servers.start()
    const code = join(temporaryFolder(), 'code')
    expect(await homeostat('server', 'join-code', '--data-dir', first.directory, '--out', code)).toMatchObject({
      code: 0,
    })
    const joining = temporaryFolder()
    const up = (directory: string, ...flags: readonly string[]) =>
      homeostat('up', ...flags, '--port', '0', '--secure-port', '0', '--data-dir', directory)
    const elsewhere = [...servers.flags, '--etcd-prefix', '/elsewhere']
    expect(await up(joining, ...elsewhere, '--join-file', code)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^homeostat: \/elsewhere in etcd holds no objects, and .*check --etcd and --etcd-prefix/m,
      ),
    })
    // The code was used; the keys and the name of the store are there.
    const second = await servers.startIn(joining, '--join-file', code)
    await Promise.all([first.stop(), second.stop()])
    expect(await up(joining)).toMatchObject({ code: 1, stderr: expect.stringMatching(/start with --store etcd/) })
    const other = new EtcdServers(cluster.endpoints)
    const stranger = await other.start('--etcd-prefix', '/elsewhere')
    await stranger.stop()
    expect(await up(joining, ...elsewhere)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is another store/),
    })
    await cluster.call('/v3/kv/deleterange', {
      key: Buffer.from('/homeostat/').toString('base64'),
      range_end: Buffer.from('/homeostat0').toString('base64'),
    })
    expect(await up(joining, ...servers.flags)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/holds no objects.*that etcd has its data.*delete .*served-store/),
    })
    rmSync(join(joining, 'served-store'))
    const again = await servers.startIn(joining)
    await again.stop()

    // As after a snapshot whose revisions were given out before.
    const mark = readFileSync(join(joining, 'served-store'), 'utf8').split(' ')
    expect(Number(mark[1])).toBeGreaterThan(0)
    writeFileSync(join(joining, 'served-store'), `${mark[0]} 50000000\n`)
    expect(await up(joining, ...servers.flags)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/has seen 50000000: it was restored.*--bump-revision.*--on-loss continue/),
    })
    const last = await servers.startIn(joining, '--on-loss', 'continue')
    const list = (await (await fetch(`${last.url}/api/v1/namespaces`)).json()) as { metadata: object }
    expect(Number(Reflect.get(list.metadata, 'resourceVersion'))).toBeGreaterThan(50_000_000)
    await last.stop()
    const unchanged = await servers.startIn(joining)
    expect((await unchanged.stop()).code).toBe(0)
  })

  test('what is wrong with the way to etcd is a line that says where to look', async () => {
    const password = 'not-to-be-shown'
    const cluster = await etcdForTest({ members: 1, tls: true, auth: { user: 'app', password } })
    const [endpoint = ''] = cluster.endpoints
    const folder = temporaryFolder({ right: `${password}\n`, wrong: 'guess\n', empty: '\n' })
    const file = (name: string) => join(cluster.folder, name)
    writeFileSync(join(folder, 'public'), password, { mode: 0o644 })
    const ca = ['--etcd-ca-file', file('ca.crt')]
    const tls = [...ca, '--etcd-cert-file', file('client.crt'), '--etcd-key-file', file('client.key')]
    const user = (name: string, secret: string) => ['--etcd-user', name, '--etcd-password-file', join(folder, secret)]
    const cases: readonly (readonly [flags: readonly string[], code: number, message: RegExp])[] = [
      [[], 2, /needs the addresses of its members/],
      [['--etcd', 'http://127.0.0.1:1'], 1, /127\.0\.0\.1:1: .*ECONNREFUSED.*; is etcd running there/],
      [['--etcd', `${endpoint},http://127.0.0.1:1`], 2, /all members are https, or all are http/],
      [['--etcd', 'ftp://a'], 2, /looks like https:\/\/a\.example:2379/],
      [['--etcd', endpoint.replace('https', 'http')], 1, /may be one of https/],
      [['--etcd', endpoint], 1, /certificate.*--etcd-ca-file must hold the authority/],
      [['--etcd', endpoint, ...ca], 1, /want another certificate: --etcd-cert-file/],
      [['--etcd', endpoint, ...ca, '--etcd-cert-file', file('client.crt')], 2, /go together/],
      [['--etcd', endpoint, ...tls.slice(0, 5), file('server.key')], 1, /--etcd-key-file .*mismatch/],
      [['--etcd', endpoint, ...tls], 1, /permission denied; check --etcd-user/],
      [['--etcd', endpoint, ...tls, '--etcd-user', 'app'], 2, /needs a password/],
      [['--etcd', endpoint, ...tls, ...user('app', 'empty')], 1, /is empty/],
      [['--etcd', endpoint, ...tls, ...user('app', 'public')], 1, /others may read it/],
      [['--etcd', endpoint, ...tls, ...user('app', 'wrong')], 1, /invalid user ID or password; check --etcd-user/],
      [['--etcd', endpoint, ...tls, '--etcd-prefix', 'here'], 2, /begins with \//],
    ]
    for (const [flags, code, message] of cases) {
      const data = ['--port', '0', '--secure-port', '0', '--data-dir', join(folder, 'data')]
      const ended = await homeostat('up', '--store', 'etcd', ...data, ...flags)
      expect(ended, flags.join(' ')).toMatchObject({ code, stderr: expect.stringMatching(message) })
      expect(ended.stderr.trim().split('\n')).toHaveLength(1)
      expect(ended.stderr).not.toContain(password)
    }
    const servers = new EtcdServers(cluster.endpoints)
    const server = await servers.start(...tls, ...user('app', 'right'))
    expect(await (await fetch(`${server.url}/readyz`)).text()).toBe('ok')
    const printed = await homeostat('up', ...servers.flags, ...tls, ...user('app', 'right'), '--print-config')
    expect(printed.stdout).toMatch(/etcd-password-file: .*right/)
    for (const text of Object.values({ ...printed, ...server.output() })) expect(`${text}`).not.toContain(password)
  })
})
