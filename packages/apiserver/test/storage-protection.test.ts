import { afterAll, expect, it } from 'vitest'
import { serve } from './server.ts'

const server = await serve()
afterAll(() => server.close())

const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims'
const CLASSES = '/apis/storage.k8s.io/v1/volumeattributesclasses'
const PODS = '/api/v1/namespaces/default/pods'

const claim = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...more },
})

it('a claim outlives the pod that mounts it, and no longer', async () => {
  const made = await server.post(CLAIMS, claim('data'))
  expect(made.body.metadata.finalizers).toEqual(['kubernetes.io/pvc-protection'])
  const watch = await server.watch(`${CLAIMS}?resourceVersion=${made.body.metadata.resourceVersion}`)
  await server.post(PODS, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'user' },
    spec: {
      containers: [{ name: 'c', image: 'x' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    },
  })
  await server.delete(`${CLAIMS}/data`)
  expect((await server.get(`${CLAIMS}/data`)).body.metadata.deletionTimestamp).toBeTruthy()
  await server.delete(`${PODS}/user?gracePeriodSeconds=0`)
  await watch.until(({ type }) => type === 'DELETED')
})

it('a class of volume attributes outlives the claims that name it', async () => {
  const made = await server.post(CLASSES, {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttributesClass',
    metadata: { name: 'gold' },
    driverName: 'example.com/driver',
    parameters: { iops: '1' },
  })
  expect(made.body.metadata.finalizers).toEqual(['kubernetes.io/vac-protection'])
  const watch = await server.watch(`${CLASSES}?resourceVersion=${made.body.metadata.resourceVersion}`)
  await server.post(CLAIMS, claim('golden', { volumeAttributesClassName: 'gold' }))
  await server.delete(`${CLASSES}/gold`)
  expect((await server.get(`${CLASSES}/gold`)).body.metadata.deletionTimestamp).toBeTruthy()
  await server.delete(`${CLAIMS}/golden`)
  await watch.until(({ type }) => type === 'DELETED')
})
