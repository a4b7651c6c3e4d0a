// ResourceQuotas through HTTP: what they count, what they refuse, and that they are exact when many write at once.

import { afterAll, describe, expect, it } from 'vitest'
import { definition } from './definitions.ts'
import { serve } from './server.ts'

const server = await serve()
afterAll(() => server.close())

let made = 0
async function namespace(hard: Record<string, string>, more: object = {}): Promise<string> {
  const name = `ns-${made++}`
  await server.post('/api/v1/namespaces', { metadata: { name } })
  const at = `/api/v1/namespaces/${name}`
  expect((await server.post(`${at}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard, ...more } })).status).toBe(
    201,
  )
  return at
}

const status = async (at: string, wanted: Record<string, string>) => {
  await expect
    .poll(async () => (await server.get(`${at}/resourcequotas/q`)).body.status)
    .toMatchObject({ used: wanted })
}

const map = (name: string) => ({ metadata: { name } })

function pod(name: string, resources: object = {}, more: object = {}) {
  return { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i', resources }], ...more } }
}

describe('the number of objects', () => {
  it('is counted, refused above the limit in the words of Kubernetes, and free again after a delete', async () => {
    const at = await namespace({ 'count/configmaps': '3' })
    await server.until(`${at}/configmaps/kube-root-ca.crt`, () => true)
    for (const name of ['a', 'b']) expect((await server.post(`${at}/configmaps`, map(name))).status).toBe(201)
    const refused = await server.post(`${at}/configmaps`, map('c'))
    expect(refused.body).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message:
        'configmaps "c" is forbidden: exceeded quota: q, requested: count/configmaps=1, used: count/configmaps=3, limited: count/configmaps=3',
    })
    await status(at, { 'count/configmaps': '3' })
    await server.delete(`${at}/configmaps/a`)
    expect((await server.post(`${at}/configmaps?dryRun=All`, map('c'))).status).toBe(201)
    expect((await server.post(`${at}/configmaps`, map('c'))).status).toBe(201)
    expect((await server.post(`${at}/configmaps?dryRun=All`, map('d'))).status).toBe(403)
    expect((await server.patch(`${at}/configmaps/b`, { data: { a: 'b' } })).status).toBe(200)
  })

  it('of custom kinds, too', async () => {
    await server.define(definition({ plural: 'lamps', group: 'quotas.test' }))
    const at = await namespace({ 'count/lamps.quotas.test': '1' })
    const url = `/apis/quotas.test/v1/namespaces/${at.split('/').at(-1)}/lamps`
    const lamp = (name: string) => ({ apiVersion: 'quotas.test/v1', kind: 'Lamp', metadata: { name } })
    expect((await server.post(url, lamp('a'))).status).toBe(201)
    expect((await server.post(url, lamp('b'))).body.message).toContain('used: count/lamps.quotas.test=1')
    await status(at, { 'count/lamps.quotas.test': '1' })
  })

  it('is exact with 64 writers: all that fits is stored, and nothing more', async () => {
    const at = await namespace({ secrets: '20' })
    const tries = Array.from({ length: 64 }, (_, i) => server.post(`${at}/secrets`, map(`s${i}`)))
    const codes = (await Promise.all(tries)).map((answer) => answer.status)
    expect(codes.filter((code) => code === 201)).toHaveLength(20)
    expect(codes.filter((code) => code === 403)).toHaveLength(44)
    expect((await server.get(`${at}/secrets`)).body.items).toHaveLength(20)
    await status(at, { secrets: '20' })
  })

  it('of a custom kind is exact, too, also for several quotas and generated names', async () => {
    await server.define(definition({ plural: 'bulbs', group: 'quotas.test' }))
    const at = await namespace({ 'count/bulbs.quotas.test': '30' })
    const narrow = { metadata: { name: 'narrow' }, spec: { hard: { 'count/bulbs.quotas.test': '10' } } }
    expect((await server.post(`${at}/resourcequotas`, narrow)).status).toBe(201)
    const url = `/apis/quotas.test/v1/namespaces/${at.split('/').at(-1)}/bulbs`
    const bulb = { apiVersion: 'quotas.test/v1', kind: 'Bulb', metadata: { generateName: 'b-' } }
    const answers = await Promise.all(Array.from({ length: 64 }, () => server.post(url, bulb)))
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(10)
    for (const { status, body } of answers)
      if (status !== 201) expect(body.message).toContain('exceeded quota: narrow, requested: count/bulbs.quotas.test=1')
    await status(at, { 'count/bulbs.quotas.test': '10' })
  })

  it('is not used up by writes that fail', async () => {
    const at = await namespace({ secrets: '1' })
    const bad = { metadata: { name: 'bad' }, data: { a: 'not base64!' } }
    for (let i = 0; i < 3; i++) expect((await server.post(`${at}/secrets`, bad)).status).toBeGreaterThanOrEqual(400)
    const both = await Promise.all([server.post(`${at}/secrets`, map('a')), server.post(`${at}/secrets`, map('a'))])
    expect(both.map((answer) => answer.status).sort()).toEqual([201, expect.toBeOneOf([403, 409])])
    await server.delete(`${at}/secrets/a`)
    expect((await server.post(`${at}/secrets`, map('b'))).status).toBe(201)
  })
})

describe('what pods request', () => {
  it('is summed, and freed when a pod ends', async () => {
    const at = await namespace({ 'requests.cpu': '1', 'limits.memory': '1Gi', pods: '5' })
    const asks = { requests: { cpu: '600m' }, limits: { cpu: '1', memory: '512Mi' } }
    expect((await server.post(`${at}/pods`, pod('a', asks))).status).toBe(201)
    await status(at, { 'requests.cpu': '600m', 'limits.memory': '512Mi', pods: '1' })
    expect((await server.post(`${at}/pods`, pod('b', asks))).body.message).toBe(
      'pods "b" is forbidden: exceeded quota: q, requested: requests.cpu=600m, used: requests.cpu=600m, limited: requests.cpu=1',
    )
    await server.patch(`${at}/pods/a/status`, { status: { phase: 'Succeeded' } })
    expect((await server.post(`${at}/pods`, pod('b', asks))).status).toBe(201)
    await status(at, { 'requests.cpu': '600m', pods: '1' })
  })

  it('must be given for what is limited', async () => {
    const at = await namespace({ 'limits.cpu': '1', memory: '1Gi' })
    expect((await server.post(`${at}/pods`, pod('a'))).body.message).toBe(
      'pods "a" is forbidden: failed quota: q: must specify limits.cpu for: c; memory for: c',
    )
  })

  it('is exact with many writers', async () => {
    const at = await namespace({ cpu: '1' })
    const tries = Array.from({ length: 32 }, (_, i) =>
      server.post(`${at}/pods`, pod(`p${i}`, { requests: { cpu: '100m' } })),
    )
    const codes = (await Promise.all(tries)).map((answer) => answer.status)
    expect(codes.filter((code) => code === 201)).toHaveLength(10)
    await status(at, { cpu: '1' })
  })
})

describe('scopes', () => {
  it('count only the pods that they name', async () => {
    const at = await namespace({ pods: '1' }, { scopes: ['BestEffort'] })
    const asks = { requests: { cpu: '100m' } }
    expect((await server.post(`${at}/pods`, pod('a', asks))).status).toBe(201)
    expect((await server.post(`${at}/pods`, pod('b'))).status).toBe(201)
    expect((await server.post(`${at}/pods`, pod('c'))).status).toBe(403)
    expect((await server.post(`${at}/pods`, pod('d', asks))).status).toBe(201)
    await status(at, { pods: '1' })
  })

  const term = { topologyKey: 'zone', labelSelector: {}, namespaces: ['default'] }
  const asks = { requests: { cpu: '1m' } }
  const across = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } }
  const scope = (scopeName: string, operator = 'Exists') => ({
    scopeSelector: { matchExpressions: [{ scopeName, operator }] },
  })
  it.each<[string, object, object, object]>([
    ['Terminating', { scopes: ['Terminating'] }, pod('in', {}, { activeDeadlineSeconds: 9 }), pod('out')],
    ['NotTerminating', { scopes: ['NotTerminating'] }, pod('in'), pod('out', {}, { activeDeadlineSeconds: 9 })],
    ['NotBestEffort', { scopes: ['NotBestEffort'] }, pod('in', asks), pod('out')],
    ['CrossNamespacePodAffinity', scope('CrossNamespacePodAffinity'), pod('in', {}, { affinity: across }), pod('out')],
    [
      'PriorityClass',
      scope('PriorityClass', 'DoesNotExist'),
      pod('in'),
      pod('out', {}, { priorityClassName: 'system-node-critical' }),
    ],
    [
      'two of them',
      { scopes: ['Terminating', 'NotBestEffort'] },
      pod('in', asks, { activeDeadlineSeconds: 9 }),
      pod('out', asks),
    ],
  ])('%s', async (_, more, counted, other) => {
    const at = await namespace({ pods: '0' }, more)
    expect((await server.post(`${at}/pods`, counted)).body.message).toContain('exceeded quota: q, requested: pods=1')
    expect((await server.post(`${at}/pods`, other)).status).toBe(201)
    await status(at, { pods: '0' })
  })

  it('select by priority class', async () => {
    await server.post('/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'high' }, value: 7 })
    const selector = { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] }
    const at = await namespace({ pods: '0' }, { scopeSelector: selector })
    expect((await server.post(`${at}/pods`, pod('a'))).status).toBe(201)
    expect((await server.post(`${at}/pods`, pod('b', {}, { priorityClassName: 'high' }))).status).toBe(403)
  })
})

describe('services and claims', () => {
  it('have amounts of their own, in creates and updates', async () => {
    const at = await namespace({
      'services.nodeports': '1',
      'requests.storage': '2Gi',
      'fast.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
    })
    const service = {
      metadata: { name: 's' },
      spec: { ports: [{ port: 80 }, { name: 'b', port: 81 }].slice(0, 1), type: 'ClusterIP' },
    }
    expect((await server.post(`${at}/services`, service)).status).toBe(201)
    expect((await server.patch(`${at}/services/s`, { spec: { type: 'NodePort' } })).status).toBe(200)
    expect(
      (
        await server.post(`${at}/services`, {
          ...service,
          metadata: { name: 't' },
          spec: { ...service.spec, type: 'NodePort' },
        })
      ).status,
    ).toBe(403)
    const claim = (name: string, storage: string) => ({
      metadata: { name },
      spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'fast', resources: { requests: { storage } } },
    })
    expect((await server.post(`${at}/persistentvolumeclaims`, claim('a', '3Gi'))).status).toBe(403)
    expect((await server.post(`${at}/persistentvolumeclaims`, claim('a', '1Gi'))).status).toBe(201)
    expect((await server.post(`${at}/persistentvolumeclaims`, claim('b', '1Gi'))).body.message).toContain(
      'fast.storageclass',
    )
    await status(at, { 'requests.storage': '1Gi', 'services.nodeports': '1' })
  })
})

it('devices are counted by their class: the most that a claim may get', async () => {
  const gold = 'gold.deviceclass.resource.k8s.io/devices'
  const at = await namespace({ [gold]: '40', 'count/resourceclaims.resource.k8s.io': '3' })
  await status(at, { [gold]: '0', 'count/resourceclaims.resource.k8s.io': '0' })
  const claims = at.replace('/api/v1/', '/apis/resource.k8s.io/v1/')
  const claim = (name: string, requests: object[]) =>
    server.post(`${claims}/resourceclaims`, { metadata: { name }, spec: { devices: { requests } } })
  const of = (more: object) => ({ deviceClassName: 'gold', ...more })
  expect((await claim('a', [{ name: 'r', exactly: of({ allocationMode: 'All' }) }])).status).toBe(201)
  await status(at, { [gold]: '32', 'count/resourceclaims.resource.k8s.io': '1' })
  const first = [
    { name: 'x', ...of({ count: 2 }) },
    { name: 'y', ...of({ count: 3 }) },
    { name: 'z', deviceClassName: 'silver' },
  ]
  expect((await claim('b', [{ name: 'r', firstAvailable: first }])).status).toBe(201)
  await status(at, { [gold]: '35' })
  expect((await claim('c', [{ name: 'r', exactly: of({ count: 6 }) }])).body.message).toContain('exceeded quota')
  await server.delete(`${claims}/resourceclaims/a`)
  await status(at, { [gold]: '3', 'count/resourceclaims.resource.k8s.io': '1' })
})

it('the status says what is allowed and used, is written only when that changed, and follows a new spec', async () => {
  const at = await namespace({ 'count/configmaps': '9', pods: '2' })
  await status(at, { 'count/configmaps': '1', pods: '0' })
  const { body } = await server.get(`${at}/resourcequotas/q`)
  expect(body.status).toMatchObject({ hard: { 'count/configmaps': '9', pods: '2' } })
  await server.post(`${at}/events`, { metadata: { name: 'e' }, involvedObject: { namespace: at.split('/').at(-1) } })
  await server.patch(`${at}/resourcequotas/q`, { spec: { hard: { 'count/configmaps': null, secrets: '4' } } })
  await status(at, { secrets: '0', pods: '0' })
  const after = await server.get(`${at}/resourcequotas/q`)
  expect(after.body.status).toEqual({ hard: { pods: '2', secrets: '4' }, used: { pods: '0', secrets: '0' } })
})
