// The life of an operator, from start to shutdown.

import { silentLog } from '@homeostat/base'
import { eventually } from '@homeostat/base/testing/eventually'
import type { LooseObject } from '@homeostat/client'
import { describe, expect, it } from 'vitest'
import { controller } from './controller.ts'
import { run } from './run.ts'
import type { Leadership, Observer } from './runtime/companions.ts'
import { configMap, define, definition, NAMESPACE, stage } from './runtime/operate.fixture.ts'
import { startTestServer } from './testing/server.fixture.ts'

const rest = controller('example.com/v1', 'Widget', async () => {})
const errorLog = () => {
  const errors: string[] = []
  const error = (fields: object, message: string) =>
    errors.push(`${message}: ${Object(fields).err ?? Object(fields).error}`)
  return { errors, log: { ...silentLog, error } }
}

describe('run', () => {
  it('takes definitions one by one or as a list, with options behind them', async () => {
    const server = await startTestServer()
    const [client, secrets] = [server.connect(), controller('v1', 'Secret', async () => {})]
    const maps = controller('v1', 'ConfigMap', async () => {})
    for (const running of [run(maps, secrets, { client }), run([maps, secrets], { client }), run(maps, { client })]) {
      await running.ready
      await running.close()
      await running.close()
      await running.done
    }
    await server.close()
  })

  it('refuses what makes no sense, at once', () => {
    expect(() => run()).toThrow(/at least one/)
    expect(() => run(rest, rest)).toThrow(/Widget is controlled twice/)
    expect(() => run({ name: 'x' }, rest)).toThrow(/options in the last place/)
    expect(() => run(rest, { name: 'x'.repeat(200) })).toThrow(/1 to 128 characters/)
    // @ts-expect-error no duration
    expect(() => run(rest, { backoff: { min: 'soon' } })).toThrow(/"soon" is not a duration/)
  })

  it('installs definitions before its caches are filled', async () => {
    const server = await startTestServer()
    const gadgets = { ...controller('example.com/v1', 'Gadget', async () => {}), definition: definition('Gadget') }
    const running = run(gadgets, { client: server.connect(), log: silentLog })
    await running.ready
    expect(await server.client.discover('example.com/v1', 'Gadget')).toMatchObject({ resource: 'gadgets' })
    await running.close()
    await server.close()
  })

  it('says why it cannot start, to those who wait and to the log, and leaves nothing unhandled', async () => {
    const server = await startTestServer()
    const { log, errors } = errorLog()
    const wrong = { ...definition('Gadget'), metadata: { name: 'wrong' } }
    const running = run({ ...rest, definition: wrong }, { client: server.connect(), log })
    await expect(running.ready).rejects.toThrow(/wrong/)
    await expect(running.done).rejects.toThrow(/wrong/)
    await expect(running.idle()).rejects.toThrow(/wrong/)
    expect(errors).toHaveLength(1)
    await running.close()
    await server.close()
  })

  it('says what it works on, where and how, and what the definition changed', async () => {
    const server = await startTestServer()
    const said: object[] = []
    const log = { ...silentLog, info: (fields: object, message: string) => void said.push({ message, ...fields }) }
    const gadgets = { ...controller('example.com/v1', 'Gadget', async () => {}), definition: definition('Gadget') }
    const running = run(gadgets, { client: server.connect(), log, name: 'gadgets' })
    await running.ready
    await running.close()
    expect(said).toEqual([
      { message: 'the definition was created', definition: 'gadgets.example.com' },
      {
        message: 'the operator works',
        name: 'gadgets',
        server: 'http://localhost',
        serverVersion: expect.stringMatching(/^v1\./),
        kinds: ['example.com/v1/Gadget'],
        way: 'watch',
        namespaces: 'all',
      },
    ])
    await server.close()
  })

  it('is not held up by a kind that is not served, and runs its objects when it is', async () => {
    const { operate, client } = await stage()
    const seen: string[] = []
    const note = (kind: string) =>
      controller('example.com/v1', kind, async (one) => void seen.push(one.object.metadata.name ?? ''))
    await operate([note('Widget'), note('Gadget')])
    await define(client, 'Gadget')
    const gadget = { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g', namespace: NAMESPACE } }
    await client.resourceOf('example.com/v1', 'Gadget').create(gadget)
    await eventually(() => seen.includes('g'))
  })

  it('looks at one namespace when it is asked to, and asks the server for the rest', async () => {
    const { operate, create, client } = await stage()
    const seen: unknown[] = []
    await client
      .resourceOf('v1', 'Namespace')
      .create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } })
    const elsewhere = configMap('x', { a: 'b' }) as LooseObject
    await create({ ...elsewhere, metadata: { name: 'x', namespace: 'other' } })
    const maps = controller('v1', 'ConfigMap', async (one) => {
      const other = await one.read<LooseObject>({ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', namespace: 'other' })
      const all = await one.readAll({ apiVersion: 'v1', kind: 'ConfigMap' })
      const roles = await one.readAll({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' })
      const namespaces = new Set(all.map(({ metadata }) => metadata.namespace))
      seen.push([one.object.metadata.namespace, other?.data?.a, [...namespaces], roles.length > 0])
    })
    await operate(maps, { namespace: NAMESPACE })
    await create(configMap('mine'))
    await eventually(() => seen.length > 0)
    expect(seen[0]).toEqual([NAMESPACE, 'b', [NAMESPACE], true])
    expect(seen.every((one) => JSON.stringify(one) === JSON.stringify(seen[0]))).toBe(true)
  })
})

describe('the end of an operator', () => {
  it('waits for runs under way and starts no others', async () => {
    const { operate, widget, find } = await stage()
    const events: string[] = []
    let go = () => {}
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    const slow = controller('example.com/v1', 'Widget', async (one) => {
      events.push(`start ${one.object.metadata.name}`)
      await gate
      await one.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made' }, data: {} })
      events.push('end')
    })
    const operator = await operate(slow, { concurrency: 1 })
    await widget('a')
    await eventually(() => events.length === 1)
    await widget('b')
    await eventually(() => operator.sizes().queued === 1)
    const closed = operator.close()
    let over = false
    void operator.done.then(() => {
      over = true
    })
    go()
    await closed
    await eventually(() => over)
    expect(events).toEqual(['start a', 'end'])
    expect(await find('ConfigMap', 'made')).toBeDefined()
    await operator.idle()
  })

  it('aborts runs that take too long', async () => {
    const { operate, widget } = await stage()
    const { log, errors } = errorLog()
    let signal: AbortSignal | undefined
    const endless = controller('example.com/v1', 'Widget', async (one) => {
      signal = one.signal
      await new Promise((_, reject) => one.signal.addEventListener('abort', () => reject(one.signal.reason)))
    })
    const operator = await operate(endless, { shutdown: '10ms', log })
    await widget('a')
    await eventually(() => signal)
    await operator.close()
    expect(signal?.aborted).toBe(true)
    expect(errors).toEqual([])
  })

  it('comes with its signal, also before it began', async () => {
    const { operate, client } = await stage()
    const abort = new AbortController()
    const operator = await operate(rest, { signal: abort.signal })
    abort.abort()
    await operator.done
    const late = run(rest, { client, log: silentLog, signal: abort.signal })
    await late.done
    await expect(late.ready).rejects.toThrow(/closed before/)
  })
})

describe('companions', () => {
  it('let runs start only while this process leads; the caches are filled before', async () => {
    const { operate, widget } = await stage()
    const terms: ((term: AbortSignal) => void)[] = []
    const leadership: Leadership = {
      leading: false,
      lead: (signal) =>
        new Promise((resolve, reject) => {
          terms.push(resolve)
          signal?.addEventListener('abort', () => reject(signal.reason))
        }),
      close: async () => {},
    }
    const ends: string[] = []
    let [open, runs] = [false, 0]
    const work = controller('example.com/v1', 'Widget', async (one) => {
      runs++
      if (open) return
      await new Promise((_, reject) => one.signal.addEventListener('abort', () => reject(one.signal.reason)))
    })
    const observer: Observer = {
      async around(_, run) {
        const end = await run()
        ends.push(end.result)
        return end
      },
    }
    const operator = await operate(work, { leadership, observer })
    await widget('a')
    await eventually(() => operator.sizes().queued === 1)
    expect(runs).toBe(0)
    const first = new AbortController()
    terms[0]?.(first.signal)
    await eventually(() => runs === 1)
    first.abort(new Error('lost'))
    await eventually(() => terms.length === 2)
    expect(ends).toEqual(['aborted'])
    open = true
    terms[1]?.(new AbortController().signal)
    await eventually(() => runs === 2)
    await operator.idle()
    expect(ends).toEqual(['aborted', 'success'])
  })

  it('hear of runs, writes and the queue, and cannot break a run', async () => {
    const { operate, widget } = await stage()
    const heard: string[] = []
    const observer: Observer = {
      async around({ kind, name, trigger }, work) {
        heard.push(`${kind} ${name} ${trigger}`)
        await work()
        throw new Error('an observer with a mistake')
      },
      wrote: (kind, result) => void heard.push(`${kind} ${result}`),
      queue: (kind, state) => void heard.push(`${kind} ${JSON.stringify(state())}`),
    }
    let runs = 0
    const work = controller('example.com/v1', 'Widget', async (one) => {
      runs++
      await one.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made' }, data: { a: 'b' } })
    })
    const operator = await operate(work, { observer })
    await widget('a')
    await eventually(() => runs === 2)
    await operator.idle()
    expect(heard.slice(0, 3)).toEqual(['Widget {"depth":0,"oldestMs":0}', 'Widget a created', 'ConfigMap sent'])
    expect(heard.slice(3)).toEqual(['Widget a ConfigMap default/made appeared', 'ConfigMap skipped'])
  })
})
