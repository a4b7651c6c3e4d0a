// The client under Pepr: fluent calls that apply on the server, watches that relist, finalizers and status.

import { GenericKind, K8s, kind, RegisterKind } from 'kubernetes-fluent-client'
import { done, eventually, expect, namespace, refusal, widget } from './steps.mjs'

class Widget extends GenericKind {}
RegisterKind(Widget, { group: 'clients.example.com', version: 'v1', kind: 'Widget', plural: 'widgets' })

const widgets = () => K8s(Widget).InNamespace(namespace)
const seen = new Set()

expect((await K8s(kind.Namespace).Get()).items.length >= 4, 'the namespaces')
expect((await widgets().Get()).items.length === 0, 'no widgets yet')
done('list')

const watcher = widgets().Watch((object, phase) => seen.add(`${phase} ${object.metadata.name}`), { resyncDelaySec: 1 })
await watcher.start()

await K8s(kind.ConfigMap).Create({ metadata: { name: 'plain', namespace }, data: { a: '1' } })
const made = await K8s(Widget).Create(widget('first', 3))
expect(made.metadata.uid && made.spec.size === 3, 'the widget back')
expect((await refusal(K8s(Widget).Create(widget('first', 3)))) === 409, '409 the second time')
done('create')

const applied = await K8s(Widget).Apply(widget('applied', 5))
const again = await K8s(Widget).Apply(widget('applied', 5))
expect(again.metadata.resourceVersion === applied.metadata.resourceVersion, 'no write for no change')
done('apply')

const told = await K8s(Widget).PatchStatus({ ...widget('first', 3), status: { phase: 'Ready' } })
expect(told.status.phase === 'Ready', 'the new status')
await eventually('the watch tells of both', () => seen.has('ADDED first') && seen.has('MODIFIED first'))
done('watch')
done('status')

await widgets().Finalize('add', 'clients.example.com/hold', 'first')
await widgets().Delete('first')
expect((await widgets().Get('first')).metadata.deletionTimestamp, 'an object that waits to be deleted')
await widgets().Finalize('remove', 'clients.example.com/hold', 'first')
expect((await refusal(widgets().Get('first'))) === 404, 'nothing after the last finalizer')
await eventually('the watch tells of the end', () => seen.has('DELETED first'))
done('finalizer')
watcher.close()

// Its kinds know no Lease; one is registered as users do it.
class Lease extends GenericKind {}
RegisterKind(Lease, { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', plural: 'leases' })
const renewTime = new Date().toISOString().replace('Z', '000Z')
const spec = { holderIdentity: 'fluent', leaseDurationSeconds: 4, renewTime }
const lease = await K8s(Lease).Create({ metadata: { name: 'election', namespace }, spec })
expect(lease.spec.holderIdentity === 'fluent', 'the lease')
expect((await refusal(K8s(Lease).Create({ metadata: { name: 'election', namespace }, spec }))) === 409, 'one holder')
done('election')
process.exit(0)
