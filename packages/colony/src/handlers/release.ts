// Removes the finalizer from the objects of a kind whose handler was removed, since no executor cleans up for them any more
// and they could not be deleted. Their waiting Processes are deleted, too.

import type { Api, ResourceName } from '@homeostat/apiserver'
import { type Clock, yieldToLoop } from '@homeostat/base'
import { HANDLER_FINALIZER } from '@homeostat/executor/protocol'
import type { KubeObject } from '@homeostat/meta'
import type { ResourceProcesses } from './handling.ts'
import type { Hold } from './hold.ts'
import { CLUSTER_NAMESPACE } from './process-manifest.ts'
import { ResourceProcessWriter } from './resource-process-writer.ts'
import { nameOf } from './resource-status.ts'

/** Objects read between two yields to the event loop. */
const AT_ONCE = 500

/** `id` is `group/resource`. Stops when the kind has a handler again. */
export async function releaseUnhandled(
  { api, clock, processes }: { readonly api: Api; readonly clock: Clock; readonly processes: ResourceProcesses },
  id: string,
  stillUnhandled: () => boolean,
): Promise<void> {
  const slash = id.indexOf('/')
  const resource = { group: id.slice(0, slash), resource: id.slice(slash + 1) }
  let looked = 0
  for (const { name: key, bytes } of api.objects(resource)) {
    if (++looked % AT_ONCE === 0) await yieldToLoop()
    // Objects without the finalizer, which are almost all, are not parsed.
    if (!bytes.includes(HANDLER_FINALIZER)) continue
    if (!stillUnhandled()) return
    const [first = '', second] = key.split('/')
    const object = second === undefined ? { name: first } : { namespace: first, name: second }
    const held = api.get(resource, object)
    if (held === undefined) continue
    await letGo(api, resource, held)
    const { uid = '', namespace = CLUSTER_NAMESPACE } = held.metadata
    const { waiting } = processes.of(namespace, uid)
    if (waiting) await new ResourceProcessWriter({ api, clock }).drop(waiting)
  }
}

/** Removes the colony's finalizers from the object with this uid, not from another of the same name. */
export async function letGo(api: Api, resource: ResourceName, object: KubeObject, hold?: Hold): Promise<void> {
  const finalizers = hold?.finalizers ?? [HANDLER_FINALIZER]
  await api.change(resource, nameOf(object), ({ metadata }) => {
    if (metadata.uid !== object.metadata.uid || !metadata.finalizers?.some((one) => finalizers.includes(one))) return
    metadata.finalizers = metadata.finalizers.filter((one) => !finalizers.includes(one))
  })
}
