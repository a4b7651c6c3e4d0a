// Random input of every kind against one server. A failure prints the seed: FUZZ_SEED repeats it, FUZZ_SECONDS runs longer.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tries } from '@homeostat/base/testing/tries'
import fc from 'fast-check'
import { afterAll, afterEach, expect, it } from 'vitest'
import { Chooser } from './chooser.ts'
import { agent, type Received, type Sent, send, sendRaw } from './http-client.ts'
import { readEverything, type Stored } from './invariants.ts'
import { publishedKinds } from './kinds.ts'
import {
  anyDefinition,
  anyFrames,
  anyObject,
  anyRawRequest,
  anyRequest,
  anyWrite,
  BODY_TYPES,
  type Kind,
  PATCH_TYPES,
  pathOf,
} from './requests.ts'
import { MAX_STEPS, startServerThread } from './server-thread.ts'
import { Watcher } from './watcher.ts'

const SECONDS = Number(process.env.FUZZ_SECONDS ?? tries(14))
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))
const MAX_HEAP = 400 << 20
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

const directory = mkdtempSync(join(tmpdir(), 'homeostat-fuzz-'))
let server = await startServerThread(directory)
const kinds = await publishedKinds(server.port)
const watcher = new Watcher(server.port, '/api/v1/configmaps?watch=true&allowWatchBookmarks=true')

afterAll(async () => {
  agent.destroy()
  await server.close()
  rmSync(directory, { recursive: true, force: true })
})

afterEach(async () => {
  const { failures } = await server.state()
  expect(failures.filter((line) => !isExpected(line))).toEqual([])
  // A connection may end just when it is used again, as with any client.
  const ready = async () => (await send(server.port, { method: 'GET', path: '/readyz' })).text
  expect((await ready()) || (await ready()) || (await ready())).toBe('ok')
})

/** Answers of 500 that Kubernetes gives as well. */
function isExpected(line: string): boolean {
  return EXPECTED.some((text) => line.includes(text))
}

const EXPECTED = [
  'resourceVersion should not be set on objects to be created',
  'failed to create typed',
  'failed to convert',
  'The order in patch list',
  'unable to find api field',
  'delete from primitive list',
  'replicas field',
]

const post = (path: string, value: unknown): Sent => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
})

/** Sends all, and sees that no turn of the event loop took many steps. */
async function sendAll(inputs: readonly Sent[]): Promise<Received[]> {
  const answers: Received[] = []
  for (const input of inputs) answers.push(await send(server.port, input))
  await expectQuick(inputs)
  return answers
}

async function expectQuick(inputs: readonly Sent[]): Promise<void> {
  if ((await server.state()).steps <= MAX_STEPS) return
  for (const input of inputs) {
    await send(server.port, input)
    const { steps } = await server.state()
    expect(steps, `${input.method} ${input.path} ${input.body?.toString().slice(0, 2000)}`).toBeLessThan(MAX_STEPS)
  }
}

/** Runs until the time is over, each time with the next seed. */
async function fuzz(share: number, run: (choose: Chooser) => Promise<unknown>): Promise<void> {
  const property = fc.asyncProperty(fc.gen(), async (value) => {
    await run(new Chooser(value))
  })
  const end = performance.now() + share * SECONDS * 1000
  for (let seed = SEED; performance.now() < end; seed++)
    await fc.assert(property, { seed, numRuns: 3, endOnFailure: true })
}

const TIMEOUT = { timeout: SECONDS * 1000 + 300_000 }
const custom: Kind[] = []

it('bodies of random and of broken bytes, in every content type', TIMEOUT, async () => {
  await fuzz(0.2, async (choose) => {
    const inputs = choose.many(12, (): Sent => {
      const kind = choose.one(kinds)
      const whole = Buffer.from(JSON.stringify(anyObject(choose, kind, 'bytes')))
      const body = choose.chance(20) ? choose.bytes(200) : choose.mutate(whole)
      const patch = choose.chance(50)
      const type = choose.one(patch ? PATCH_TYPES : BODY_TYPES)
      const prefix = type.includes('protobuf') && choose.chance(80) ? Buffer.from('k8s\0') : Buffer.alloc(0)
      return {
        method: patch ? 'PATCH' : choose.one(['POST', 'PUT', 'DELETE']),
        path: `${pathOf(kind, patch ? 'bytes' : undefined)}${patch ? '?fieldManager=x' : ''}`,
        headers: { 'content-type': type },
        body: Buffer.concat([prefix, body]),
      }
    })
    await sendAll(inputs)
  })
})

it('objects that nearly are of their kind, and random definitions with random objects', TIMEOUT, async () => {
  await fuzz(0.3, async (choose) => {
    const plural = `k${choose.number(40)}s`
    const { definition, spec } = anyDefinition(choose, plural)
    const [made] = await sendAll([post(DEFINITIONS, definition)])
    if (made?.status === 201) {
      const { scope } = (definition as { spec: { scope: string } }).spec
      custom.push({
        root: '/apis/fuzz.example.com/v1',
        apiVersion: 'fuzz.example.com/v1',
        kind: plural.toUpperCase(),
        resource: plural,
        namespaced: scope === 'Namespaced',
        schema: { type: 'object', properties: { spec }, required: ['spec'] },
        named: {},
      })
    }
    const known = [...kinds, ...custom, ...custom.slice(-3)]
    const writes = choose.many(15, () =>
      anyWrite(choose, choose.chance(50) ? choose.one(known) : choose.one(known.slice(-3))),
    )
    await sendAll(writes)
  })
})

it('writes of every sort to the same few objects', TIMEOUT, async () => {
  const few = [
    ...kinds.filter(({ kind }) => ['ConfigMap', 'Deployment', 'Service', 'Namespace'].includes(kind)),
    ...custom.slice(0, 3),
  ]
  await fuzz(0.2, async (choose) => sendAll(choose.many(20, () => anyWrite(choose, choose.one(few)))))
})

it('requests to anywhere with any query and headers', TIMEOUT, async () => {
  await fuzz(0.15, async (choose) => sendAll(choose.many(15, () => anyRequest(choose, [...kinds, ...custom]))))
})

it('requests that are no HTTP, lie about their length, or go on as WebSockets', TIMEOUT, async () => {
  const upgrade = `GET /api/v1/configmaps?watch=true HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`
  await fuzz(0.15, async (choose) => {
    const inputs = choose.many(20, () =>
      choose.chance(70) ? anyRawRequest(choose, kinds) : [Buffer.from(upgrade), ...anyFrames(choose)],
    )
    await Promise.all(inputs.map((pieces) => sendRaw(server.port, pieces)))
    expect((await server.state()).steps).toBeLessThan(MAX_STEPS)
  })
})

it(
  'and afterwards everything stored can be read, the watch was whole, and a restart changes nothing',
  TIMEOUT,
  async () => {
    const stored = await readSettled()
    expect(stored.size).toBeGreaterThan(10)
    expect(watcher.wrongLines()).toEqual([])
    expect(await server.heap()).toBeLessThan(MAX_HEAP)
    await server.close()
    server = await startServerThread(directory)
    const again = await readSettled()
    const other = [...stored].filter(([path, text]) => again.get(path) !== text && !CHANGES_WITH_START.test(path))
    expect(other.slice(0, 3)).toEqual([])
  },
)

/** Each start of this server has keys and a port of its own, and events end by themselves. */
const CHANGES_WITH_START = /kube-root-ca\.crt|\/extension-apiserver-authentication|\/kubernetes|\/events\/|\/leases\//

/**
 * Controllers may still be at work, on what was sent or on what a start has new; an object that changes between two reads
 * is then no fault. What is read twice the same has settled, and what is wrong for good never does.
 */
async function readSettled(): Promise<Stored> {
  let last: Stored | undefined
  let problem: unknown
  for (let i = 0; i < 20; i++) {
    const next = await readEverything(server.port).catch((error: unknown) => {
      problem = error
      return undefined
    })
    if (next && next.size === last?.size && [...next].every(([path, text]) => last?.get(path) === text)) return next
    last = next
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw problem ?? new Error('the objects never settled')
}
