// Replaces references to collections by references to the objects in them. `delete` and `wait` call it.

import { listMetadata } from '../../access/objects.ts'
import type { Session } from '../../access/session.ts'
import { Fault } from '../../fault.ts'
import { type NamedReference, type Reference, type Referring, selectionOf } from './references.ts'

/** Refuses a whole collection that was not asked for: by labels, by fields, or with --all. */
export async function namedObjects(
  references: readonly Reference[],
  values: Referring,
  { client }: Session,
): Promise<NamedReference[]> {
  const { labelSelector, fieldSelector } = selectionOf(values)
  const named = await Promise.all(
    references.map(async ({ kind, namespace, name, where }): Promise<NamedReference[]> => {
      const place = where === undefined ? {} : { where }
      if (name !== undefined) return [{ kind, namespace, name, ...place }]
      if (labelSelector === undefined && fieldSelector === undefined && !values.all) {
        throw new Fault('resource(s) were provided, but no name was specified')
      }
      const objects = await listMetadata(client, kind, { labelSelector, fieldSelector, namespace })
      return objects.map(({ metadata }) => ({ kind, namespace: metadata.namespace, name: metadata.name ?? '' }))
    }),
  )
  return named.flat()
}
