// A kind whose storage version moved, with a conversion webhook: `homeostat crd migrate` while others write and the server is
// killed. No object is lost, and in the end none is stored in the old version.

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiObject, type Client, createClient } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { issueCertificate, makeAuthority } from '@homeostat/pki'
import { expect, it, onTestFinished } from 'vitest'
import { spawnHomeostat, startServer } from '../server-process.ts'
import { withStore } from './stored-log.ts'

const COUNT = 300
const HOUR_MS = 3_600_000

type Host = ApiObject & { spec: { address?: string; host?: string; port?: number } }

/** v1 has an address, v2 a host and a port. `onCall` runs for each review. */
async function webhook(onCall: () => void) {
  const authority = makeAuthority(Date.now())
  const { certificate, key } = issueCertificate(authority, {
    commonName: 'hook',
    usage: 'server',
    dnsNames: [],
    addresses: ['127.0.0.1'],
    notBefore: new Date(Date.now() - HOUR_MS),
    notAfter: new Date(Date.now() + HOUR_MS),
  })
  const server = createServer({ cert: certificate, key }, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    onCall()
    const { apiVersion, kind, request: asked } = JSON.parse(Buffer.concat(chunks).toString())
    const convertedObjects = asked.objects.map((object: Host) => converted(object, asked.desiredAPIVersion))
    const answer = { uid: asked.uid, result: { status: 'Success' }, convertedObjects }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ apiVersion, kind, response: answer }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { url, caBundle: Buffer.from(authority.certificate).toString('base64') }
}

function converted(object: Host, apiVersion: string): Host {
  const { address = '', host = '', port = 0 } = object.spec
  const [first = '', second] = address.split(':')
  const spec = apiVersion.endsWith('v2') ? { host: first, port: Number(second) } : { address: `${host}:${port}` }
  return { ...object, apiVersion, spec } as Host
}

function definition(clientConfig: object) {
  const version = (name: string, spec: object) => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: spec } } } },
  })
  const text = { type: 'string' }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'hosts.ex.io' },
    spec: {
      group: 'ex.io',
      scope: 'Namespaced',
      names: { plural: 'hosts', kind: 'Host' },
      versions: [version('v1', { address: text }), version('v2', { host: text, port: { type: 'integer' } })],
      conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } },
    },
  }
}

interface Definition extends ApiObject {
  spec: { versions: { name: string; storage: boolean }[] }
  status: { storedVersions: string[] }
}

function clientOf(url: string): Client {
  const client = createClient(nodeTransport({ url }))
  onTestFinished(() => client.close())
  return client
}

const hosts = (client: Client, version: string) => client.resourceOf<Host>(`ex.io/${version}`, 'Host')
const definitions = (client: Client) =>
  client.resourceOf<Definition>('apiextensions.k8s.io/v1', 'CustomResourceDefinition')
const place = (i: number) => ({ name: `h-${i}`, namespace: 'default' })

async function command(...args: string[]): Promise<{ code: number | null; printed: string }> {
  const child = spawnHomeostat(args)
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      printed += chunk
    })
  }
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, printed })))
}

const migrate = (url: string) => command('crd', 'migrate', 'hosts.ex.io', '--server', url)

it('a killed server goes on with objects in two stored versions, and a second migration ends what the first began', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'homeostat-migration-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  let onCall = () => {}
  const hook = await webhook(() => onCall())
  const first = await startServer(directory)
  const client = clientOf(first.url)
  await definitions(client).create(definition(hook) as never)
  const established = await command('wait', 'crd/hosts.ex.io', '--for=condition=Established', '--server', first.url)
  expect(established.code).toBe(0)
  for (let i = 0; i < COUNT; i++)
    await hosts(client, 'v1').create({ metadata: place(i), spec: { address: `host-${i}:${i}` } } as never)
  const moved = await definitions(client).get({ name: 'hosts.ex.io' })
  for (const one of moved.spec.versions) one.storage = one.name === 'v2'
  await definitions(client).update(moved)

  // The server is killed when a third of the objects has been converted.
  let calls = 0
  const killed = new Promise<void>((resolve) => {
    onCall = () => {
      if (++calls === COUNT / 3) void first.stop('SIGKILL').then(() => resolve())
    }
  })
  const interrupted = await migrate(first.url)
  await killed
  expect(interrupted.code).toBe(1)

  const second = await startServer(directory)
  const again = clientOf(second.url)
  expect((await definitions(again).get({ name: 'hosts.ex.io' })).status.storedVersions).toEqual(['v1', 'v2'])
  const known = new Map(Array.from({ length: COUNT }, (_, i) => [`h-${i}`, { host: `host-${i}`, port: i }]))
  const specs = async (version: string) =>
    new Map((await hosts(again, version).list()).items.map(({ metadata, spec }) => [metadata.name, spec]))
  expect(await specs('v2')).toEqual(known)

  let isOver = false
  const writers = ['v1', 'v2'].map(async (version, at) => {
    for (let port = 1000; !isOver; port++) {
      const spec = version === 'v1' ? { address: `written:${port}` } : { host: 'written', port }
      await hosts(again, version).patch(place(at), { spec })
      known.set(`h-${at}`, { host: 'written', port })
    }
  })
  const finished = await migrate(second.url)
  isOver = true
  await Promise.all(writers)
  expect(finished.printed).toMatch(
    /^hosts\.ex\.io: \d+ stored in v2, \d+ were already; v1 may go from spec\.versions\n$/,
  )
  expect(finished.code).toBe(0)
  expect(await specs('v2')).toEqual(known)
  expect((await definitions(again).get({ name: 'hosts.ex.io' })).status.storedVersions).toEqual(['v2'])
  await second.stop()

  const stored = new Set<string>()
  await withStore(directory, async (store) => {
    for (let i = 0; i < COUNT; i++) {
      const entry = await store.get(`ex.io/hosts/default/h-${i}`)
      stored.add(JSON.parse(Buffer.from(entry?.value?.bytes ?? []).toString()).apiVersion)
    }
  })
  expect([...stored]).toEqual(['ex.io/v2'])
})
