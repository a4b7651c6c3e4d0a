// Three servers of the command on a real etcd: a client cannot tell which of them it talks to, and nobody fakes a caller.

import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { promisify } from 'node:util'
import { etcdMissing } from '@homeostat/store/testing/etcd/etcd-program'
import { describe, expect, onTestFinished, test } from 'vitest'
import { homeostat } from '../command-line.ts'
import { call, revisionOf } from '../http-call.ts'
import { findTool } from '../tools.ts'
import { WatchReader } from '../watch-reader.ts'
import { widget, widgetDefinition, widgetPath } from '../widgets.ts'
import { type EtcdServer, EtcdServers, etcdForTest } from './etcd-servers.ts'

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const DEFAULT = '/api/v1/namespaces/default'
const PATIENCE = { timeout: 60_000 }

async function three(): Promise<[EtcdServer, EtcdServer, EtcdServer]> {
  const servers = new EtcdServers((await etcdForTest()).endpoints)
  return [await servers.start(), await servers.start(), await servers.start()]
}

describe.skipIf(etcdMissing() !== undefined)('three servers on etcd', () => {
  test('tell one truth, whichever is asked', async () => {
    const [a, b, c] = await three()
    const all = [a, b, c]
    const on = (at: number) => (all[at % 3] as EtcdServer).url
    // Each write is read on the next server at once.
    for (let at = 0; at < 30; at++) {
      const made = await call(`${on(at)}${DEFAULT}/configmaps`, 'POST', { metadata: { name: `map-${at}` } })
      const read = await call(`${on(at + 1)}${DEFAULT}/configmaps/map-${at}`)
      expect([made.code, read.body.metadata]).toEqual([201, made.body.metadata])
    }
    // Pages of one list from three servers.
    const names: string[] = []
    for (let at = 0, token = ''; at === 0 || token !== ''; at++) {
      const { body } = await call(`${on(at)}${DEFAULT}/configmaps?limit=7&continue=${encodeURIComponent(token)}`)
      names.push(...(body.items ?? []).map(({ metadata }) => metadata.name ?? ''))
      token = (body.metadata as { continue?: string }).continue ?? ''
    }
    expect(names.filter((name) => name.startsWith('map-'))).toHaveLength(30)
    expect(new Set(names).size).toBe(names.length)
    // Addresses, ports and generated names that are drawn at the same time.
    const drawn = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        call(`${on(at)}${DEFAULT}/services`, 'POST', {
          metadata: { generateName: 'drawn-' },
          spec: { type: 'NodePort', ports: [{ port: 80 }] },
        }),
      ),
    )
    const services = drawn.map(({ body }) => body as unknown as Service)
    for (const of of [
      ({ metadata }: Service) => metadata.name,
      ({ spec }: Service) => spec.clusterIP,
      ({ spec }: Service) => `${spec.ports[0]?.nodePort}`,
    ])
      expect(new Set(services.map(of)).size).toBe(30)
  })

  test('let a watcher go on at another, by its last event', async () => {
    const [a, b, c] = await three()
    expect((await call(`${a.url}${DEFINITIONS}`, 'POST', widgetDefinition)).code).toBe(201)
    const widgets = widgetPath('default')
    // The definition is served by each server once it is established.
    for (const { url } of [a, b, c]) await expect.poll(async () => (await call(url + widgets)).code, PATIENCE).toBe(200)
    const from = revisionOf((await call(a.url + widgets)).body)
    const reader = new WatchReader({ path: widgets, from })
    const stream = new WatchReader({ path: '/watch?resource=widgets', from, serverSent: true })
    for (const [at, { url }] of [a, b, c].entries()) {
      const life = new AbortController()
      const following = Promise.all([reader.follow(url, life.signal), stream.follow(url, life.signal)])
      const other = [b, c, a][at] as EtcdServer
      for (let n = 0; n < 5; n++)
        expect((await call(other.url + widgets, 'POST', widget(`seen-${at}-${n}`))).code).toBe(201)
      const told = () => [reader.events.length, stream.events.length]
      await expect.poll(told, PATIENCE).toEqual([5 * (at + 1), 5 * (at + 1)])
      life.abort()
      await following
    }
    const written = [0, 1, 2].flatMap((at) => [0, 1, 2, 3, 4].map((n) => `seen-${at}-${n}`))
    for (const { events } of [reader, stream]) expect(events.map(({ object }) => object.metadata.name)).toEqual(written)
  })

  test('take back a right on all of them, and believe no headers about a caller', async () => {
    const [a, b, c] = await three()
    const user = await homeostat('kubeconfig', '--user', 'ada', '--data-dir', a.directory)
    expect(user.code).toBe(0)
    const ada = credentials(user.stdout)
    const binding = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings'
    const grant = {
      metadata: { name: 'ada' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ada' }],
    }
    expect((await call(`${a.url}${binding}`, 'POST', grant)).code).toBe(201)
    const list = (server: EtcdServer, more: Record<string, string> = {}) =>
      asUser(secureUrlOf(server), `${DEFAULT}/configmaps`, ada, more)
    for (const server of [b, c]) expect(await list(server)).toBe(200)
    expect((await call(`${b.url}${binding}/ada`, 'DELETE')).code).toBe(200)
    for (const server of [a, b, c]) await expect.poll(() => list(server), PATIENCE).toBe(403)
    // What a server says of the caller of a request that it passes on.
    const forged = { 'x-remote-user': 'system:admin', 'x-remote-group': 'system:masters' }
    for (const server of [a, b, c]) {
      expect(await list(server, forged)).toBe(403)
      expect(await asUser(secureUrlOf(server), `${DEFAULT}/configmaps`, { ca: ada.ca }, forged)).toBe(401)
    }
  })

  test.skipIf(findTool('kubectl') === undefined)('are the same for kubectl', async () => {
    const servers = await three()
    const kubectl = async (server: EtcdServer, ...args: readonly string[]) =>
      (await promisify(execFile)('kubectl', ['--kubeconfig', server.kubeconfig, ...args])).stdout
    for (const [at, server] of servers.entries()) await kubectl(server, 'create', 'configmap', `by-${at}`)
    const tables = await Promise.all(
      servers.map((server) => kubectl(server, 'get', 'configmaps', '-o', 'jsonpath={.items[*].metadata.name}')),
    )
    for (const table of tables) expect(table).toBe('by-0 by-1 by-2 kube-root-ca.crt')
  })
})

interface Service {
  readonly metadata: { readonly name: string }
  readonly spec: { readonly clusterIP: string; readonly ports: readonly { readonly nodePort: number }[] }
}

interface Credentials {
  readonly ca: string
  readonly cert?: string
  readonly key?: string
}

function credentials(kubeconfig: string): Credentials {
  const field = (name: string) =>
    Buffer.from(new RegExp(`${name}: "?([\\w+/=]+)`).exec(kubeconfig)?.[1] ?? '', 'base64').toString()
  const cert = field('client-certificate-data')
  expect(new X509Certificate(cert).subject).toContain('CN=ada')
  return { ca: field('certificate-authority-data'), cert, key: field('client-key-data') }
}

function secureUrlOf({ kubeconfig }: EtcdServer): string {
  return /https:\/\/127\.0\.0\.1:\d+/.exec(readFileSync(kubeconfig, 'utf8'))?.[0] ?? ''
}

/** Resolves to the status of a GET. */
function asUser(url: string, path: string, tls: Credentials, headers: Record<string, string>): Promise<number> {
  const agent = new Agent({ ...tls })
  onTestFinished(() => agent.destroy())
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { agent, headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end()
  })
}
