// The official JavaScript client: typed and generic calls, its informer, server-side apply. It brings no leader
// election, so the Lease is taken as such code does it: a create, then renewals that must not be stale.

import {
  CoordinationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  V1MicroTime,
} from '@kubernetes/client-node'
import { done, eventually, expect, namespace, refusal, WIDGETS, widget } from './steps.mjs'

const config = new KubeConfig()
config.loadFromDefault()
const core = config.makeApiClient(CoreV1Api)
const custom = config.makeApiClient(CustomObjectsApi)
const objects = KubernetesObjectApi.makeApiClient(config)
const mine = { ...WIDGETS, namespace }
const seen = new Set()

const spaces = await core.listNamespace({ limit: 2 })
expect(spaces.items.length === 2 && spaces.metadata._continue, 'a first page of two namespaces')
expect((await custom.listNamespacedCustomObject(mine)).items.length === 0, 'no widgets yet')
done('list')

const informer = makeInformer(config, `/apis/clients.example.com/v1/namespaces/${namespace}/widgets`, () =>
  custom.listNamespacedCustomObject(mine),
)
informer.on('add', ({ metadata }) => seen.add(`added ${metadata.name}`))
informer.on('update', ({ metadata }) => seen.add(`changed ${metadata.name}`))
informer.on('delete', ({ metadata }) => seen.add(`deleted ${metadata.name}`))
await informer.start()

await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'plain' }, data: { a: '1' } } })
const made = await objects.create(widget('first', 3))
expect(made.metadata.uid && made.spec.size === 3, 'the widget back')
expect((await refusal(objects.create(widget('first', 3)))) === 409, '409 the second time')
expect((await refusal(objects.create(widget('bad', 'large')))) === 422, '422 for a text as a number')
done('create')

const apply = (size, manager, force = false) =>
  objects.patch(widget('applied', size), undefined, undefined, manager, force, PatchStrategy.ServerSideApply)
const applied = await apply(5, 'one')
expect((await apply(5, 'one')).metadata.resourceVersion === applied.metadata.resourceVersion, 'no write for no change')
expect((await refusal(apply(6, 'two'))) === 409, 'a conflict between managers')
expect((await apply(6, 'two', true)).spec.size === 6, 'the forced size')
done('apply')

const merge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch)
const status = { ...mine, name: 'first', body: { spec: { size: 9 }, status: { phase: 'Ready' } } }
const told = await custom.patchNamespacedCustomObjectStatus(status, merge)
expect(told.status.phase === 'Ready' && told.spec.size === 3, 'a new status and the old spec')
await eventually('the informer tells of both', () => seen.has('added first') && seen.has('changed first'))
done('watch')
done('status')

const held = widget('held', 1)
held.metadata.finalizers = ['clients.example.com/hold']
await objects.create(held)
await objects.delete(held)
expect((await objects.read(held)).metadata.deletionTimestamp, 'an object that waits to be deleted')
const release = { ...mine, name: 'held', body: { metadata: { finalizers: null } } }
await custom.patchNamespacedCustomObject(release, merge)
expect((await refusal(objects.read(held))) === 404, 'nothing after the last finalizer')
await eventually('the informer tells of the end', () => seen.has('deleted held'))
done('finalizer')
await informer.stop()

const leases = config.makeApiClient(CoordinationV1Api)
const time = () => new V1MicroTime()
const spec = { holderIdentity: 'client-node', leaseDurationSeconds: 4, acquireTime: time(), renewTime: time() }
const lease = await leases.createNamespacedLease({ namespace, body: { metadata: { name: 'election' }, spec } })
const renewed = { ...lease, spec: { ...lease.spec, renewTime: time() } }
await leases.replaceNamespacedLease({ namespace, name: 'election', body: renewed })
expect(
  (await refusal(leases.replaceNamespacedLease({ namespace, name: 'election', body: renewed }))) === 409,
  'a conflict for whoever renews what it has not read',
)
done('election')
