// What admission does to pods besides quotas: LimitRanges, priorities and service accounts.

import { afterAll, describe, expect, it } from 'vitest'
import type { Body } from './body.ts'
import { serve } from './server.ts'

const server = await serve()
afterAll(() => server.close())

let made = 0
async function namespace(): Promise<string> {
  const name = `ns-${made++}`
  await server.post('/api/v1/namespaces', { metadata: { name } })
  return `/api/v1/namespaces/${name}`
}

function pod(name: string, resources: object = {}, more: object = {}) {
  return { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i', resources }], ...more } }
}

function resourcesOf({ spec }: Body): unknown[] {
  return (spec.containers as { resources: unknown }[]).map(({ resources }) => resources)
}

describe('a LimitRange', () => {
  async function limited(...limits: object[]): Promise<string> {
    const at = await namespace()
    expect((await server.post(`${at}/limitranges`, { metadata: { name: 'l' }, spec: { limits } })).status).toBe(201)
    return at
  }

  it('gives containers defaults, and says so in an annotation', async () => {
    const at = await limited({ type: 'Container', default: { cpu: '200m' }, defaultRequest: { cpu: '100m' } })
    const { body } = await server.post(`${at}/pods`, pod('a'))
    expect(resourcesOf(body)).toEqual([{ limits: { cpu: '200m' }, requests: { cpu: '100m' } }])
    expect(body.metadata.annotations).toEqual({
      'kubernetes.io/limit-ranger': 'LimitRanger plugin set: cpu request for container c; cpu limit for container c',
    })
    expect(body.status).toMatchObject({ qosClass: 'Burstable' })
    const own = await server.post(`${at}/pods`, pod('b', { limits: { cpu: '150m' }, requests: { cpu: '1m' } }))
    expect(resourcesOf(own.body)).toEqual([{ limits: { cpu: '150m' }, requests: { cpu: '1m' } }])
    expect(own.body.metadata.annotations).toBeUndefined()
  })

  it('refuses containers above its maximum and below its minimum', async () => {
    const at = await limited({ type: 'Container', min: { memory: '64Mi' }, max: { cpu: '1' } })
    const refused = await server.post(`${at}/pods`, pod('big', { limits: { cpu: '2' }, requests: { memory: '1Mi' } }))
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'pods "big" is forbidden: [minimum memory usage per Container is 64Mi, but request is 1Mi, maximum cpu usage per Container is 1, but limit is 2]',
    ])
  })

  it('limits pods as a whole, and the ratio of limit and request', async () => {
    const at = await limited(
      { type: 'Pod', max: { cpu: '1' } },
      { type: 'Container', maxLimitRequestRatio: { cpu: '2' } },
    )
    const two = (cpu: string) => ({
      containers: ['a', 'b'].map((name) => ({ name, image: 'i', resources: { limits: { cpu } } })),
    })
    expect((await server.post(`${at}/pods`, pod('a', {}, two('600m')))).body.message).toContain(
      'maximum cpu usage per Pod is 1, but limit is 1200m',
    )
    expect((await server.post(`${at}/pods`, pod('a', {}, two('500m')))).status).toBe(201)
    const ratio = await server.post(`${at}/pods`, pod('b', { limits: { cpu: '900m' }, requests: { cpu: '100m' } }))
    expect(ratio.body.message).toContain(
      'cpu max limit to request ratio per Container is 2, but provided ratio is 9.000000',
    )
  })

  it('limits claims', async () => {
    const at = await limited({ type: 'PersistentVolumeClaim', max: { storage: '1Gi' }, min: { storage: '1Mi' } })
    const claim = (name: string, storage: string) => ({
      metadata: { name },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
    })
    expect((await server.post(`${at}/persistentvolumeclaims`, claim('a', '2Gi'))).body.message).toContain(
      'maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi',
    )
    expect((await server.post(`${at}/persistentvolumeclaims`, claim('a', '1Ki'))).status).toBe(403)
    expect((await server.post(`${at}/persistentvolumeclaims`, claim('a', '1Gi'))).status).toBe(201)
  })
})

describe('the priority of a pod', () => {
  const classes = '/apis/scheduling.k8s.io/v1/priorityclasses'

  it('is that of its class; an unknown class and a number of its own are refused', async () => {
    const at = await namespace()
    await server.post(classes, { metadata: { name: 'high' }, value: 1000, preemptionPolicy: 'Never' })
    const { body } = await server.post(`${at}/pods`, pod('a', {}, { priorityClassName: 'high' }))
    expect(body.spec).toMatchObject({ priority: 1000, preemptionPolicy: 'Never' })
    expect((await server.post(`${at}/pods`, pod('b', {}, { priorityClassName: 'none' }))).body).toMatchObject({
      code: 403,
      message: 'pods "b" is forbidden: no PriorityClass with name none was found',
    })
    expect((await server.post(`${at}/pods`, pod('b', {}, { priority: 5 }))).status).toBe(403)
    expect((await server.post(`${at}/pods`, pod('b'))).body.spec).toMatchObject({ priority: 0 })
  })

  it('is that of the default class, of which there is one', async () => {
    const at = await namespace()
    expect((await server.post(classes, { metadata: { name: 'usual' }, value: 10, globalDefault: true })).status).toBe(
      201,
    )
    const second = await server.post(classes, { metadata: { name: 'other' }, value: 11, globalDefault: true })
    expect([second.status, second.body.message]).toEqual([
      403,
      expect.stringContaining('PriorityClass usual is already marked as default'),
    ])
    expect((await server.patch(`${classes}/usual`, { description: 'd' })).status).toBe(200)
    const { body } = await server.post(`${at}/pods`, pod('a'))
    expect(body.spec).toMatchObject({ priority: 10, priorityClassName: 'usual' })
    await server.delete(`${classes}/usual`)
  })
})

describe('the service account of a pod', () => {
  it('must exist; the default one of a new namespace is waited for', async () => {
    const at = await namespace()
    expect((await server.post(`${at}/pods`, pod('a'))).body.spec.serviceAccountName).toBe('default')
    const name = at.split('/').at(-1)
    expect((await server.post(`${at}/pods`, pod('b', {}, { serviceAccountName: 'none' }))).body).toMatchObject({
      code: 403,
      message: `pods "b" is forbidden: error looking up service account ${name}/none: serviceaccount "none" not found`,
    })
  })

  it('gives the pod its pull secrets', async () => {
    const at = await namespace()
    await server.post(`${at}/serviceaccounts`, {
      metadata: { name: 'robot' },
      imagePullSecrets: [{ name: 'registry' }],
    })
    const { body } = await server.post(`${at}/pods`, pod('a', {}, { serviceAccountName: 'robot' }))
    expect(body.spec.imagePullSecrets).toEqual([{ name: 'registry' }])
    const own = await server.post(
      `${at}/pods`,
      pod('b', {}, { serviceAccountName: 'robot', imagePullSecrets: [{ name: 'x' }] }),
    )
    expect(own.body.spec.imagePullSecrets).toEqual([{ name: 'x' }])
  })
})
