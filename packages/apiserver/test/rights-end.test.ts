// A right, an account or a token that ends takes effect on requests that are open: they are cut off at the next check.

import { ManualClock } from '@homeostat/base'
import { expect, it, onTestFinished } from 'vitest'
import { serveForTest, type TestServer } from './server.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'
const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts'
const BINDINGS = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings'
const CHECKED_MS = 5000

interface Stage {
  readonly server: TestServer
  readonly clock: ManualClock
  readonly token: string
}

/** A server with an account that may read ConfigMaps. */
async function stage(): Promise<Stage> {
  const clock = new ManualClock(Date.now())
  const server = await serveForTest({ clock })
  await server.post(ACCOUNTS, { metadata: { name: 'robot' } })
  await server.post(BINDINGS, {
    metadata: { name: 'robot' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'ServiceAccount', name: 'robot' }],
  })
  const { body } = await server.post(`${ACCOUNTS}/robot/token`, { spec: { expirationSeconds: 600 } })
  return { server, clock, token: (body.status as { token: string }).token }
}

const headers = ({ token }: Stage) => ({ headers: { authorization: `Bearer ${token}` } })

it.each<[string, (stage: Stage) => Promise<unknown>]>([
  ['its binding is deleted', ({ server }) => server.delete(`${BINDINGS}/robot`)],
  ['its account is deleted', ({ server }) => server.delete(`${ACCOUNTS}/robot`)],
  [
    'its account is another one of the same name',
    async ({ server }) => {
      await server.delete(`${ACCOUNTS}/robot`)
      await server.post(ACCOUNTS, { metadata: { name: 'robot' } })
    },
  ],
  ['its token expires', async ({ clock }) => clock.advance(600_000)],
])('a watch is cut off when %s', async (_, end) => {
  const world = await stage()
  const watch = await world.server.watch(MAPS, headers(world))
  await world.server.post(MAPS, { metadata: { name: 'seen' } })
  await watch.until(({ object }) => object.metadata.name === 'seen')
  world.clock.advance(CHECKED_MS)
  await world.server.post(MAPS, { metadata: { name: 'still' } })
  await watch.until(({ object }) => object.metadata.name === 'still')
  await end(world)
  world.clock.advance(CHECKED_MS)
  await expect(watch.rest()).rejects.toThrow()
})

it('a WebSocket is cut off when the binding is deleted', async () => {
  const world = await stage()
  const protocol = `base64url.bearer.authorization.k8s.io.${Buffer.from(world.token).toString('base64url')}`
  const socket = new WebSocket(`ws://127.0.0.1:${world.server.port}${MAPS}?watch=true`, ['watch', protocol])
  onTestFinished(() => socket.close())
  const closed = new Promise<number>((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)))
  const opened = new Promise<void>((resolve) => socket.addEventListener('open', () => resolve()))
  expect(await Promise.race([opened, closed])).toBeUndefined()
  await world.server.delete(`${BINDINGS}/robot`)
  world.clock.advance(CHECKED_MS)
  expect(await closed).toBe(1006)
})
