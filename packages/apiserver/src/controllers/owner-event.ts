// The warning event for an object that refers to an owner in another namespace.

import { createHash } from 'node:crypto'
import { type KubeObject, type ObjectMeta, type OwnerReference, rfc3339 } from '@homeostat/meta'

/** The name derives from object and owner, so that a second create of the same event is refused. */
export function misplacedOwnerEvent(
  { apiVersion, kind }: { apiVersion: string; kind: string },
  { name = '', namespace, uid = '' }: ObjectMeta,
  owner: OwnerReference,
  now: number,
): KubeObject {
  const hash = createHash('sha256').update(`${uid} ${owner.uid}`).digest('hex').slice(0, 16)
  const what = `[${owner.apiVersion}/${owner.kind}, namespace: ${namespace ?? ''}, name: ${owner.name}, uid: ${owner.uid}]`
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${hash}`, namespace: namespace ?? 'default' },
    involvedObject: { apiVersion, kind, name, uid, ...(namespace !== undefined && { namespace }) },
    reason: 'OwnerRefInvalidNamespace',
    message: `ownerRef ${what} does not exist in namespace ${JSON.stringify(namespace ?? '')}`,
    source: { component: 'garbage-collector-controller' },
    firstTimestamp: rfc3339(now),
    lastTimestamp: rfc3339(now),
    count: 1,
    type: 'Warning',
    eventTime: null,
    reportingComponent: 'garbage-collector-controller',
    reportingInstance: '',
  }
}
