// Watch rules for changes that no reconcile reads: `watches('v1', 'Node', () => [{ name: 'all' }])`.

import type { ApiObject, KindName } from '@homeostat/client'
import type { WatchRule } from '../runtime/controlled.ts'
import type { KnownObject } from './child.ts'

/** `map` names the objects to queue for a changed one. It must be pure: it is called with the old and the new state. */
export function watches<const A extends string, const K extends string>(
  apiVersion: A,
  kind: KindName<A, K>,
  map: (object: KnownObject<A, K>) => readonly { readonly name: string; readonly namespace?: string | undefined }[],
): WatchRule {
  return { apiVersion, kind, map: (object: ApiObject) => map(object as KnownObject<A, K>) }
}
