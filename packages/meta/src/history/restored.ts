// What a rollback and an undelete send; pure. A rollback is an ordinary update of the live object: it takes the desired state of
// an older generation and leaves metadata that others own alone.

import type { KeptObject } from './entry.ts'

type Fields = KeptObject & Readonly<Record<string, unknown>>

/** Annotations that controllers write; the server does not count them as history either. */
const OF_CONTROLLERS = /^(?:[^/]*\.)?(?:kubernetes\.io|k8s\.io|homeostat\.dev|colonies\.io)\//

/** The live object with all but metadata and status of the older one. Without generations, labels and annotations are history, too. */
export function rolledBack(live: KeptObject, older: KeptObject): KeptObject {
  const { apiVersion, kind, metadata: _, status: __, ...desired } = older as Fields
  const { status } = live as Fields
  return {
    apiVersion,
    kind,
    metadata: live.metadata.generation === undefined ? withOlderMarks(live, older) : live.metadata,
    ...desired,
    ...(status !== undefined && { status }),
  } as KeptObject
}

function withOlderMarks({ metadata }: KeptObject, older: KeptObject): KeptObject['metadata'] {
  const { labels: _, annotations: now = {}, ...rest } = metadata
  const { labels, annotations: before = {} } = older.metadata
  const annotations = {
    ...Object.fromEntries(Object.entries(now).filter(([name]) => OF_CONTROLLERS.test(name))),
    ...Object.fromEntries(Object.entries(before).filter(([name]) => !OF_CONTROLLERS.test(name))),
  }
  return { ...rest, ...(labels && { labels }), ...(Object.keys(annotations).length > 0 && { annotations }) }
}

/** A new object like the deleted one. `owners` are those that still exist. */
export function undeleted(object: KeptObject, owners: readonly Owner[]): KeptObject {
  const { status: _, metadata, ...rest } = object as Fields
  const { name, namespace, labels, annotations } = metadata
  return {
    ...rest,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(owners.length > 0 && { ownerReferences: owners }),
    },
  } as KeptObject
}

export interface Owner {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
}

export function ownersOf({ metadata }: KeptObject): readonly Owner[] {
  return (metadata as { ownerReferences?: readonly Owner[] }).ownerReferences ?? []
}
