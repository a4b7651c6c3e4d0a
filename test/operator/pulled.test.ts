// Operators that pull their work from a colony: every way to define one, every way a run can end, deletion, and several
// workers side by side.

import { ManualClock, silentLog } from '@homeostat/base'
import { until } from '@homeostat/base/testing/eventually'
import { type ApiObject, type Client, createClient, type LooseObject, type Transport } from '@homeostat/client'
import {
  CustomResource,
  controller,
  createCustomResourceDefinition,
  installDefinition,
  type Outcome,
  operator,
  type Runnable,
  type Running,
  type RunOptions,
  run,
  terminal,
} from '@homeostat/operator'
import { type TestColony, testColony } from '@homeostat/testing/colony'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'

const a = { name: 'a', namespace: 'default' }

async function start() {
  const clock = new ManualClock(Date.now(), { runs: true })
  const colony = await testColony({ clock })
  onTestFinished(() => colony.close())
  return { colony, clock, client: colony.client, sites: colony.client.resourceOf<LooseObject>('ex.io/v1', 'Site') }
}

async function pull(colony: TestColony, clock: ManualClock, op: Runnable, options: RunOptions = {}): Promise<Running> {
  const pulled = { executorType: 'sites', colony: 'default', interval: '1h' as const }
  const running = run(op, { client: colony.client, clock, name: 'sites', log: silentLog, pull: pulled, ...options })
  onTestFinished(() => running.close())
  await running.ready
  return running
}

const condition = (object: LooseObject | undefined, type: string) => {
  const found = object?.status?.conditions?.find((one) => one.type === type)
  return found && `${found.status} ${found.reason}`
}

type Spec = z.ZodObject<{ size: z.ZodType<number> }>

interface Life {
  reconcile?(name: string): Promise<Outcome>
  cleanup?(name: string): Promise<Outcome>
}

/** A kind of the class style that does as it is told. */
function siteOf(life: Life, spec: Spec = z.object({ size: z.number().default(1) })) {
  class Site extends CustomResource<Spec> {
    readonly settings = this.own('v1', 'ConfigMap')

    async reconcile() {
      await this.settings.ensure({ data: { size: `${this.spec.size}` } })
      await this.patchStatus({ size: this.spec.size })
      return life.reconcile?.(this.name)
    }

    override async cleanup() {
      return life.cleanup?.(this.name)
    }
  }
  const base = { group: 'ex.io', version: 'v1', kind: 'Site', spec }
  return createCustomResourceDefinition({ ...base, create: (options) => new Site(options) })
}

test('a function with children is pulled, and they follow the spec', async () => {
  const { colony, clock, client, sites } = await start()
  const site = operator(
    'ex.io/v1/Site',
    { spec: z.object({ parts: z.array(z.string()) }), status: z.object({ count: z.int() }) },
    ({ spec, child }) => ({
      status: { count: spec.parts.length },
      children: spec.parts.map((part) => child('v1', 'ConfigMap', { data: { part } }, { name: `a-${part}` })),
    }),
  )
  await pull(colony, clock, site)
  await sites.create({ metadata: a, spec: { parts: ['x', 'y'] } })
  const maps = client.resource('v1', 'ConfigMap')
  const names = async () => {
    const { items } = await maps.list({ namespace: 'default' })
    return items.map(({ metadata }) => metadata.name).filter((name) => name?.startsWith('a-'))
  }
  await until(async () => expect(await names()).toEqual(['a-x', 'a-y']))
  await until(async () => expect((await sites.get(a)).status).toMatchObject({ count: 2, observedGeneration: 1 }))
  await sites.patch(a, { spec: { parts: ['y', 'z'] } })
  await until(async () => expect(await names()).toEqual(['a-y', 'a-z']))
  await until(async () => expect(condition(await sites.get(a), 'Ready')).toMatch(/^True/))
  await sites.delete(a)
  await until(async () => expect(await names()).toEqual([]))
})

test('a kind that is handled already needs no definition of the operator', async () => {
  const { colony, clock, client } = await start()
  await installDefinition(client, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: 'lamps.ex.io',
      annotations: { 'colonies.io/handler': '{"executorType":"sites","functionName":"shine"}' },
    },
    spec: {
      group: 'ex.io',
      scope: 'Namespaced',
      names: { plural: 'lamps', kind: 'Lamp' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
            },
          },
        },
      ],
    },
  } as ApiObject)
  const shining = controller('ex.io/v1', 'Lamp', async (context) => context.patchStatus({ light: 'on' }))
  await pull(colony, clock, shining)
  const lamps = client.resourceOf<LooseObject>('ex.io/v1', 'Lamp')
  await lamps.create({ metadata: a })
  await until(async () => expect((await lamps.get(a)).status).toMatchObject({ light: 'on', observedGeneration: 1 }))
})

test('a run that failed is tried again, one that cannot go on is not, and either says why', async () => {
  const { colony, clock, sites } = await start()
  let runs = 0
  let outcome: () => Promise<Outcome> = () => Promise.reject(new Error('no connection'))
  const reconcile = () => {
    runs++
    return outcome()
  }
  await pull(colony, clock, siteOf({ reconcile }))
  await sites.create({ metadata: a, spec: { size: 1 } })
  await until(async () => expect(condition(await sites.get(a), 'Ready')).toBe('False ReconcileFailed'))
  expect(runs).toBe(1)
  outcome = () => Promise.reject(terminal(new Error('never'), 'Hopeless'))
  await until(() => {
    clock.advance(500)
    expect(runs).toBe(2)
  })
  const stopped = await until(async () => {
    const object = await sites.get(a)
    expect(condition(object, 'Ready')).toBe('False Hopeless')
    expect(object.status?.observedGeneration).toBe(1)
    return object
  })
  expect(stopped.status).toMatchObject({ size: 1 })
  clock.advance(600_000)
  outcome = () => Promise.resolve()
  await sites.patch(a, { spec: { size: 2 } })
  await until(async () => expect(condition(await sites.get(a), 'Ready')).toMatch(/^True/))
  expect(runs).toBe(3)
})

test('a run that asks for another gets it at its time', async () => {
  const { colony, clock, sites } = await start()
  const reconcile = vi.fn(async () => ({ requeueAfter: '10m' as const }))
  await pull(colony, clock, siteOf({ reconcile }))
  await sites.create({ metadata: a, spec: {} })
  const processes = colony.client.resourceOf<LooseObject>('colonies.io/v1', 'Process')
  await until(async () => {
    const [process] = (await processes.list()).items
    expect(process?.status).toMatchObject({ phase: 'Waiting', attempt: 1 })
  })
  clock.advance(599_000)
  expect(reconcile).toHaveBeenCalledOnce()
  await until(() => {
    clock.advance(1000)
    expect(reconcile).toHaveBeenCalledTimes(2)
  })
})

test('cleanup runs before the object goes, until it succeeds, with one finalizer alone', async () => {
  const { colony, clock, sites } = await start()
  const cleaned: string[] = []
  const cleanup = async (name: string) => {
    cleaned.push(name)
    if (cleaned.length === 1) throw new Error('still busy')
  }
  await pull(colony, clock, siteOf({ cleanup }))
  await sites.create({ metadata: a, spec: {} })
  const made = await until(async () => {
    const object = await sites.get(a)
    expect(condition(object, 'Ready')).toMatch(/^True/)
    return object
  })
  expect(made.metadata.finalizers).toEqual(['ex.io/finalizer'])
  await sites.delete(a)
  await until(async () => expect(condition(await sites.get(a), 'Ready')).toBe('False CleanupFailed'))
  await until(async () => {
    clock.advance(500)
    expect(await sites.find(a)).toBeUndefined()
  })
  expect(cleaned).toEqual(['a', 'a'])
})

test('a spec that was never accepted says so and does not keep its object; one that was accepted before does', async () => {
  const { colony, clock, sites } = await start()
  const even = z.object({ size: z.number().refine((size) => size % 2 === 0, 'must be even') })
  const cleanup = vi.fn(async () => {})
  const first = await pull(colony, clock, siteOf({ cleanup }, even))
  const b = { ...a, name: 'b' }
  await sites.create({ metadata: a, spec: { size: 1 } })
  await sites.create({ metadata: b, spec: { size: 2 } })
  await until(async () => expect(condition(await sites.get(a), 'Accepted')).toBe('False InvalidSpec'))
  await until(async () => expect(condition(await sites.get(b), 'Accepted')).toBe('True Accepted'))
  await sites.delete(a)
  await until(async () => expect(await sites.find(a)).toBeUndefined())
  expect(cleanup).not.toHaveBeenCalled()
  await sites.patch(b, { spec: { size: 3 } })
  await until(async () => expect(condition(await sites.get(b), 'Accepted')).toBe('False BecameInvalid'))
  await first.close()
  await pull(colony, clock, siteOf({ cleanup }, even))
  await sites.delete(b)
  await until(async () => {
    const object = await sites.get(b)
    expect(object.metadata.deletionTimestamp).toBeDefined()
    expect(object.status?.observedGeneration).toBe(object.metadata.generation)
  })
  await sites.patch(b, { spec: { size: 4 } })
  await until(async () => expect(await sites.find(b)).toBeUndefined())
  expect(cleanup).toHaveBeenCalledOnce()
})

test('what asks for a run outside of one gets it', async () => {
  const { colony, clock, sites } = await start()
  const reconcile = vi.fn(async () => {})
  const running = await pull(colony, clock, siteOf({ reconcile }))
  await sites.create({ metadata: a, spec: {} })
  await until(async () => expect(condition(await sites.get(a), 'Ready')).toMatch(/^True/))
  const before = reconcile.mock.calls.length
  running.queue({ apiVersion: 'ex.io/v1', kind: 'Site', ...a }, 'somebody asks')
  await until(() => expect(reconcile.mock.calls.length).toBeGreaterThan(before))
})

test('a change of what a run read brings a run at once; own writes bring none', async () => {
  const { colony, clock, client, sites } = await start()
  const runs = vi.fn()
  const site = operator(
    'ex.io/v1/Site',
    { spec: z.object({}), status: z.object({ colour: z.string() }) },
    async ({ needs, child }) => {
      runs()
      const settings = await needs('v1', 'ConfigMap', 'settings')
      return {
        status: { colour: settings.data?.colour ?? 'none' },
        children: [child('v1', 'ConfigMap', { data: { copy: settings.data?.colour ?? '' } }, { name: 'copy' })],
      }
    },
  )
  const frozen = new ManualClock(Date.now())
  await pull(colony, clock, site, { clock: frozen })
  await sites.create({ metadata: a, spec: {} })
  await until(async () => expect(condition(await sites.get(a), 'Ready')).toMatch(/^False/))
  const maps = client.resourceOf<LooseObject>('v1', 'ConfigMap')
  const settings = { name: 'settings', namespace: 'default' }
  await maps.create({ metadata: settings, data: { colour: 'red' } })
  await until(async () => expect((await sites.get(a)).status).toMatchObject({ colour: 'red' }))
  await maps.patch(settings, { data: { colour: 'blue' } })
  await until(async () => expect((await sites.get(a)).status).toMatchObject({ colour: 'blue' }))
  const { calls } = runs.mock
  expect(calls.length).toBeLessThanOrEqual(4)
  // Somebody takes a child away: that is a change of what it read, too.
  await maps.delete({ name: 'copy', namespace: 'default' })
  await until(async () => expect(await maps.find({ name: 'copy', namespace: 'default' })).toBeDefined())
})

test('a worker whose caches are late does not take for done what another has undone', async () => {
  const { colony, clock, client, sites } = await start()
  const maps = client.resource('v1', 'ConfigMap')
  const late = deaf(client)
  const first = await pull(colony, clock, siteOf({}), { client: createClient(late.transport) })
  await sites.create({ metadata: a, spec: { size: 1 } })
  await until(async () => expect(condition(await sites.get(a), 'Ready')).toMatch(/^True/))
  late.stopHearing()
  await maps.apply({ metadata: a, data: { size: '2' } }, { fieldManager: 'sites', force: true })
  first.queue({ apiVersion: 'ex.io/v1', kind: 'Site', ...a }, 'somebody asks')
  await until(async () => expect((await maps.get(a)).data).toEqual({ size: '1' }))
})

/** A client that hears nothing more of watches from some time on. */
function deaf({ transport }: Client) {
  let isDeaf = false
  async function* heard(body: AsyncIterable<Uint8Array>) {
    for await (const chunk of body) if (!isDeaf) yield chunk
  }
  const send: Transport['send'] = async (request) => {
    const answer = await transport.send(request)
    return request.path.includes('watch=') ? { ...answer, body: heard(answer.body) } : answer
  }
  const stopHearing = () => {
    isDeaf = true
  }
  return { transport: { send, close() {} }, stopHearing }
}

test('several workers share the objects, never two at one object, and what one drops another takes up', async () => {
  const { colony, clock, client, sites } = await start()
  const busy = new Map<string, string>()
  const ran: string[] = []
  const workers = ['w1', 'w2', 'w3']
  const siteBy = (worker: string) =>
    siteOf({
      async reconcile(name) {
        if (busy.has(name)) throw new Error(`${worker} and ${busy.get(name)} run ${name} at once`)
        busy.set(name, worker)
        await new Promise((resolve) => setImmediate(resolve))
        busy.delete(name)
        ran.push(worker)
      },
    })
  const options = { concurrency: 2, leaderElection: true }
  const running = await Promise.all(workers.map((worker) => pull(colony, clock, siteBy(worker), options)))
  const names = Array.from({ length: 30 }, (_, i) => `s${i}`)
  await Promise.all(names.map((name) => sites.create({ metadata: { ...a, name }, spec: {} })))
  await running[0]?.close()
  await until(async () => {
    const { items } = await sites.list()
    const ready = items.filter((one) => condition(one, 'Ready')?.startsWith('True'))
    expect(ready).toHaveLength(names.length)
    for (const one of items) expect(one.status).toMatchObject({ size: 1, observedGeneration: 1 })
  })
  expect(new Set(ran).size).toBeGreaterThan(1)
  const leases = await client.resource('coordination.k8s.io/v1', 'Lease').list()
  expect(leases.items.filter(({ metadata }) => metadata.name === 'sites')).toEqual([])
  await Promise.all(running.map((one) => one.close()))
  expect((await client.resourceOf('colonies.io/v1', 'Executor').list()).items).toEqual([])
})
