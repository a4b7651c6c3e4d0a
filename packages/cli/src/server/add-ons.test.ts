import { startApiServer } from '@homeostat/apiserver'
import { silentLog } from '@homeostat/base'
import { MemoryStore } from '@homeostat/store'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runAddOns } from './add-ons.ts'

async function serve() {
  const store = new MemoryStore()
  const server = await startApiServer({ store, host: '127.0.0.1', port: undefined })
  const ending = new AbortController()
  onTestFinished(async () => {
    ending.abort()
    await server.close()
    await store.close()
  })
  return { server, ending }
}

const until = (signal: AbortSignal) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))

test('an add-on works under a name of its own until the server ends', async () => {
  const { server, ending } = await serve()
  const { promise: asked, resolve: answer } = Promise.withResolvers<unknown>()
  const running = runAddOns(
    server,
    [
      {
        name: 'robot',
        async start(client, signal) {
          const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
          const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
          const headers = { 'content-type': 'application/json' }
          answer(await client.requestJson({ method: 'POST', path, headers, body: JSON.stringify(review) }))
          await until(signal)
        },
      },
    ],
    silentLog,
    ending.signal,
  )
  expect(await asked).toMatchObject({
    status: { userInfo: { username: 'system:serviceaccount:homeostat-system:robot' } },
  })
  ending.abort()
  await running
})

test('an add-on with kinds of its own starts with the first object of them', async () => {
  const { server, ending } = await serve()
  const started = vi.fn(async () => {})
  const wakes = [{ group: '', resource: 'podtemplates' }]
  const maker = {
    name: 'maker',
    access: [{ apiGroups: [''], resources: ['podtemplates'], verbs: ['create'] }],
    async start(client: Parameters<NonNullable<import('@homeostat/apiserver/add-on').AddOn['start']>>[0]) {
      expect(started).not.toHaveBeenCalled()
      const template = { spec: { containers: [{ name: 'a', image: 'a' }] } }
      const metadata = { name: 'a', namespace: 'default' }
      await client
        .resourceOf('v1', 'PodTemplate')
        .create({ apiVersion: 'v1', kind: 'PodTemplate', metadata, template } as never)
    },
  }
  await runAddOns(server, [{ name: 'sleeper', wakes, start: started }, maker], silentLog, ending.signal)
  expect(started).toHaveBeenCalledOnce()
})

test('one that fails is reported and started again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { server, ending } = await serve()
  const error = vi.fn()
  let tries = 0
  const running = runAddOns(
    server,
    [
      {
        name: 'shaky',
        async start() {
          tries++
          if (tries < 3) throw new Error('out of order')
        },
      },
    ],
    { debug() {}, info() {}, warn() {}, error },
    ending.signal,
  )
  while (tries < 3) await vi.advanceTimersByTimeAsync(500)
  await running
  expect(error.mock.calls.map(([{ addOn, retryMs }]) => [addOn, retryMs])).toEqual([
    ['shaky', 1000],
    ['shaky', 2000],
  ])
})
