// Requests fail, responses are lost and the operator restarts: in the end exactly the wanted objects exist.

import { silentLog } from '@homeostat/base'
import { eventually } from '@homeostat/base/testing/eventually'
import { type Client, createClient, type LooseObject, type Transport } from '@homeostat/client'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { run } from '../run.ts'
import { startTestServer, type TestServer } from '../testing/server.fixture.ts'
import { operator } from './operator.ts'

let generated = 0
const grove = operator(
  'ex.io/v1/Grove',
  {
    spec: z.object({ here: z.array(z.string()), there: z.array(z.string()) }),
    status: z.object({ count: z.number() }),
    pruneGuard: false,
  },
  async ({ spec, child, secret }) => {
    const password = await secret('password', z.object({ value: z.string() }), () => ({ value: `${++generated}` }))
    const here = spec.here.map((name) => child('v1', 'ConfigMap', { data: { name } }, { name }))
    const there = spec.there.map((name) =>
      child('v1', 'ConfigMap', { data: { name } }, { name, namespace: 'kube-public' }),
    )
    return { children: [password, ...here, ...there], status: { count: here.length + there.length } }
  },
)

interface Trouble {
  /** The fate of each request: it succeeds, the request is lost, or the response is lost. */
  readonly fates: readonly ('fine' | 'lost' | 'unanswered')[]
}

/** Write requests meet these fates in order; all later ones succeed. */
function troubled({ transport }: Client, { fates }: Trouble): Client {
  let at = 0
  const send: Transport['send'] = async (request) => {
    const fate = request.method === 'GET' ? 'fine' : (fates[at++] ?? 'fine')
    if (fate === 'lost') throw new Error('the request was lost')
    const answer = await transport.send(request)
    if (fate === 'unanswered') throw new Error('the answer was lost')
    return answer
  }
  return createClient({ send, close: () => transport.close() }, { retry: { tries: 1 } })
}

const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 })
const step = fc.record({
  here: names,
  there: names,
  restart: fc.boolean(),
  fates: fc.array(fc.constantFrom('fine', 'lost', 'unanswered'), { maxLength: 8 }),
})

const home = { name: 'home', namespace: 'default' }

async function mapsIn(server: TestServer, namespace: string): Promise<string[]> {
  const { items } = await server.client.resource('v1', 'ConfigMap').list({ namespace })
  return items.map(({ metadata }) => metadata.name ?? '').filter((name) => name.length === 1)
}

it('converges through failures and restarts, and leaves nothing behind', async () => {
  await using server = Object.assign(await startTestServer(), { [Symbol.asyncDispose]: () => server.close() })
  const crds = server.client.resourceOf(grove.definition.apiVersion, grove.definition.kind)
  await crds.create(grove.definition)
  await eventually(() => server.client.discover('ex.io/v1', 'Grove'))
  const groves = server.client.resource('ex.io/v1', 'Grove')
  const start = (fates: Trouble['fates']) =>
    run(grove, {
      client: troubled(server.connect(), { fates }),
      log: silentLog,
      name: 'groves',
      install: false,
      events: false,
      backoff: { min: '1ms', max: '5ms' },
    })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
      let running = start(steps[0]?.fates ?? [])
      let password: unknown
      for (const { here, there, restart, fates } of steps) {
        await groves.apply(
          { apiVersion: 'ex.io/v1', kind: 'Grove', metadata: home, spec: { here, there } },
          { fieldManager: 'user' },
        )
        if (restart) {
          await running.close()
          running = start(fates)
        }
        await eventually(async () => {
          const [inHere, inThere] = [await mapsIn(server, 'default'), await mapsIn(server, 'kube-public')]
          return same(inHere, here) && same(inThere, there)
        })
        await eventually(async () => isReady(await groves.get(home)))
        const secret = await server.client.resource('v1', 'Secret').get({ name: 'password', namespace: 'default' })
        password ??= secret.data?.value
        expect(secret.data?.value).toBe(password)
      }
      await groves.delete(home)
      await eventually(async () => (await groves.find(home)) === undefined)
      await eventually(async () => (await mapsIn(server, 'default')).length === 0)
      expect(await mapsIn(server, 'kube-public')).toEqual([])
      const secrets = server.client.resource('v1', 'Secret')
      await eventually(async () => (await secrets.find({ name: 'password', namespace: 'default' })) === undefined)
      await running.close()
    }),
    { numRuns: 12 },
  )
})

function isReady({ metadata, status }: LooseObject): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  return ready?.status === 'True' && ready.observedGeneration === metadata.generation
}

function same(found: readonly string[], wanted: readonly string[]): boolean {
  return JSON.stringify(found.toSorted()) === JSON.stringify(wanted.toSorted())
}
