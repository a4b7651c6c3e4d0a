// The routes of this server's own (/watch, /events, /crd) show a user what their roles let them see, and nothing else.

import { ManualClock } from '@homeostat/base'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { GROUP, widget, widgets } from './definitions.ts'
import { serve } from './server.ts'

const clock = new ManualClock(Date.now())
const server = await serve({ clock })
afterAll(() => server.close())
await server.define(widgets)
await server.post('/api/v1/namespaces', { metadata: { name: 'lab' } })

const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const CHECKED_MS = 5000
const as = (user: string) => ({ headers: { 'impersonate-user': user } })
const placed = (namespace: string) => `/apis/${GROUP}/v1/namespaces/${namespace}/widgets`

async function allow(user: string, namespace: string, rule: object): Promise<void> {
  await server.post(`${RBAC}/namespaces/${namespace}/roles`, { metadata: { name: user }, rules: [rule] })
  await server.post(`${RBAC}/namespaces/${namespace}/rolebindings`, {
    metadata: { name: user },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: user },
    subjects: [{ kind: 'User', name: user }],
  })
}

/** The stream's text so far, and how it ends. */
async function follow(
  user: string,
  query = '',
): Promise<{ until(text: string): Promise<string>; ended: Promise<boolean> }> {
  const abort = new AbortController()
  onTestFinished(() => abort.abort())
  const response = await fetch(`${server.url}/watch${query}`, { ...as(user), signal: abort.signal })
  expect(response.status).toBe(200)
  let seen = ''
  let notify = () => {}
  const ended = (async () => {
    try {
      for await (const chunk of response.body ?? []) {
        seen += Buffer.from(chunk as Uint8Array).toString()
        notify()
      }
      return false
    } catch {
      return true
    }
  })()
  const until = async (text: string) => {
    while (!seen.includes(text)) await new Promise<void>((resolve) => (notify = resolve))
    return seen
  }
  await until('changes of custom resources')
  return { until, ended }
}

it('a stream shows the namespaces, and the names, that its user may watch', async () => {
  await allow('ada', 'lab', { apiGroups: [GROUP], resources: ['widgets'], verbs: ['watch'] })
  await allow('bob', 'lab', { apiGroups: [GROUP], resources: ['widgets'], verbs: ['watch'], resourceNames: ['last'] })
  const from = `?lastEventId=${(await server.get('/api/v1/namespaces/lab')).body.metadata.resourceVersion}`
  const live = [await follow('ada'), await follow('bob')]
  await server.post(placed('default'), widget('hidden'))
  await server.post(placed('lab'), { ...widget('first'), metadata: { name: 'first' } })
  await server.post(placed('lab'), { ...widget('last'), metadata: { name: 'last' } })
  for (const streams of [live, [await follow('ada', from), await follow('bob', from)]]) {
    const [ada, bob] = await Promise.all(streams.map((one) => one.until('"name":"last"')))
    expect(ada).toContain('"name":"first"')
    expect(bob).not.toContain('"name":"first"')
    for (const text of [ada, bob]) expect(text).not.toContain('hidden')
  }
})

it('a stream ends when a right by which it showed something is taken away', async () => {
  await allow('cyd', 'lab', { apiGroups: [GROUP], resources: ['widgets'], verbs: ['watch'] })
  const [lost, kept] = [await follow('cyd'), await follow('ada')]
  await server.post(placed('lab'), { ...widget('x'), metadata: { name: 'shown' } })
  await Promise.all([lost.until('shown'), kept.until('shown')])
  clock.advance(CHECKED_MS)
  await server.delete(`${RBAC}/namespaces/lab/rolebindings/cyd`)
  await server.post(placed('lab'), { ...widget('x'), metadata: { name: 'unseen' } })
  await kept.until('unseen')
  clock.advance(CHECKED_MS)
  expect(await lost.ended).toBe(true)
  expect(await lost.until('shown')).not.toContain('unseen')
  await server.post(placed('lab'), { ...widget('x'), metadata: { name: 'further' } })
  await kept.until('further')
})

it('/events lists changes of what its user may list', async () => {
  await allow('dan', 'lab', { apiGroups: [GROUP], resources: ['widgets'], verbs: ['list'] })
  await server.post(placed('default'), widget('elsewhere'))
  const names = async (user: string) => {
    const { body } = await server.get('/events', as(user))
    return new Set((body.events as unknown as { namespace: string }[]).map(({ namespace }) => namespace))
  }
  expect(await names('dan')).toEqual(new Set(['lab']))
  expect(await names('ada')).toEqual(new Set())
  expect(await names('system:nobody')).toEqual(new Set())
})

it('/crd needs the right to list definitions', async () => {
  const { status, body, headers } = await server.get('/crd', as('ada'))
  expect([status, body.reason]).toEqual([403, 'Forbidden'])
  expect(headers.get('warning')).toContain('--resource=customresourcedefinitions.apiextensions.k8s.io')
  await server.post(`${RBAC}/clusterroles`, {
    metadata: { name: 'definitions' },
    rules: [{ apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['list'] }],
  })
  await server.post(`${RBAC}/clusterrolebindings`, {
    metadata: { name: 'definitions' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'definitions' },
    subjects: [{ kind: 'User', name: 'ada' }],
  })
  expect((await server.get('/crd', as('ada'))).status).toBe(200)
})

it('anonymous users open none of them, and are told no command', async () => {
  for (const path of ['/', '/watch', '/events', '/crd', '/metrics', '/api/v1/secrets']) {
    const { status, headers, body } = await server.get(path, as('system:anonymous'))
    expect([path, status, headers.get('warning')]).toEqual([path, 403, null])
    expect(body.details).not.toHaveProperty('causes')
  }
})
