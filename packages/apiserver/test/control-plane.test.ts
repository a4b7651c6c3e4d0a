import { afterAll, describe, expect, it } from 'vitest'
import { namespace } from './definitions.ts'
import { serve, serveForTest } from './server.ts'

const server = await serve()
afterAll(() => server.close())

const PODS = '/api/v1/namespaces/default/pods'
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }

function pod(name: string, spec: object = {}, metadata: object = {}): object {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, ...metadata }, spec: { ...template.spec, ...spec } }
}

describe('a pod', () => {
  it('goes at once when no node has it, or when nobody shall wait', async () => {
    await server.post(PODS, pod('free'))
    const { body } = await server.delete(`${PODS}/free`)
    expect(body).toMatchObject({ kind: 'Pod', metadata: { deletionGracePeriodSeconds: 0 } })
    await server.post(PODS, pod('forced', { nodeName: 'n' }))
    await server.delete(`${PODS}/forced`, { gracePeriodSeconds: 0 })
    for (const name of ['free', 'forced']) expect((await server.get(`${PODS}/${name}`)).status).toBe(404)
  })

  it('stays for its grace on a node, which can only become shorter', async () => {
    await server.post(PODS, pod('graceful', { nodeName: 'n' }))
    const before = Date.now()
    const { status, body } = await server.delete(`${PODS}/graceful`)
    expect(status).toBe(200)
    expect(body.metadata).toMatchObject({ deletionGracePeriodSeconds: 30 })
    expect(Date.parse(body.metadata.deletionTimestamp ?? '')).toBeGreaterThan(before + 28_000)
    expect((await server.delete(`${PODS}/graceful`, { gracePeriodSeconds: 60 })).body.metadata).toEqual(body.metadata)
    const shorter = await server.delete(`${PODS}/graceful`, { gracePeriodSeconds: 10 })
    expect(shorter.body.metadata).toMatchObject({ deletionGracePeriodSeconds: 10 })
    const touched = await server.patch(`${PODS}/graceful`, { metadata: { labels: { still: 'there' } } })
    expect(touched.status).toBe(200)
    expect((await server.get(`${PODS}/graceful`)).status).toBe(200)
    await server.delete(`${PODS}/graceful`, { gracePeriodSeconds: 0 })
    expect((await server.get(`${PODS}/graceful`)).status).toBe(404)
  })
})

describe('a job', () => {
  it('leaves its pods behind unless it is asked not to', async () => {
    const jobs = '/apis/batch/v1/namespaces/default/jobs'
    const spec = { template: { spec: { ...template.spec, restartPolicy: 'Never' } } }
    for (const [name, options, stays] of [
      ['plain', undefined, true],
      ['told', { propagationPolicy: 'Background' }, false],
    ] as const) {
      const { body: job } = await server.post(jobs, { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec })
      const ownerReferences = [{ apiVersion: 'batch/v1', kind: 'Job', name, uid: job.metadata.uid }]
      await server.post(PODS, pod(`pod-of-${name}`, {}, { ownerReferences }))
      await server.delete(`${jobs}/${name}`, options)
      await server.gone(`${jobs}/${name}`)
      if (stays)
        expect((await server.get(`${PODS}/pod-of-${name}`)).body.metadata).not.toHaveProperty('ownerReferences')
      else await server.gone(`${PODS}/pod-of-${name}`)
    }
  })
})

describe('a namespace', () => {
  it('has an account and certificates soon after it is made, and can be deleted with them', async () => {
    await server.post('/api/v1/namespaces', namespace('fresh'))
    await server.until('/api/v1/namespaces/fresh/serviceaccounts/default', () => true)
    const path = '/api/v1/namespaces/fresh/configmaps/kube-root-ca.crt'
    const { data } = await server.until(path, () => true)
    expect(data).toMatchObject({ 'ca.crt': expect.stringContaining('BEGIN CERTIFICATE') })
    await server.patch(path, { data: { 'ca.crt': 'wrong' } })
    await server.until(path, (map) => (map.data as { 'ca.crt': string })['ca.crt'] !== 'wrong')
    await server.delete('/api/v1/namespaces/fresh')
    await server.gone('/api/v1/namespaces/fresh')
  })
})

describe('a fresh server', () => {
  it.each([
    ['/api/v1/namespaces/default/services', 1],
    ['/apis/rbac.authorization.k8s.io/v1/clusterroles', 17],
    ['/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', 7],
    ['/apis/rbac.authorization.k8s.io/v1/namespaces/kube-system/roles', 3],
    ['/apis/rbac.authorization.k8s.io/v1/namespaces/kube-system/rolebindings', 3],
    ['/apis/scheduling.k8s.io/v1/priorityclasses', 2],
    ['/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas', 11],
    ['/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations', 8],
  ])('has what clients look for at %s', async (path, count) => {
    // Of several servers one makes them, a moment after the first answers.
    await expect.poll(async () => (await server.get(path)).body.items).toHaveLength(count)
  })
})

it('forgets events that nobody has written to for longer than configured', async () => {
  const own = await serveForTest({ eventTtlMs: 100 })
  const events = '/api/v1/namespaces/default/events'
  const involvedObject = { kind: 'Pod', namespace: 'default', name: 'p' }
  await own.post(events, { apiVersion: 'v1', kind: 'Event', metadata: { name: 'e' }, involvedObject })
  await own.gone(`${events}/e`)
})
