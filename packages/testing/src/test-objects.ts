// What a test does with objects: applies them as a user would, and waits for what becomes of them. Control planes and
// colonies in tests have it.

import type { ApiObject, Client, ObjectName } from '@homeostat/client'
import { type Duration, milliseconds } from '@homeostat/meta'
import type { KnownObject, ObjectRef } from '@homeostat/operator'
import { until, untilGone } from './until.ts'

/** Ends a test that waits in vain; long, since a busy machine is slow. */
export const DEFAULT_WAIT = '1m'

export interface TestObjects {
  /** Applies objects as a user would (server-side apply) and returns them as stored. */
  apply<T extends ApiObject = ApiObject>(...manifests: ApiManifest[]): Promise<T[]>
  /**
   * Waits until `wanted` returns true for the object. After `timeout`, by default a minute, throws an error with the
   * object's last state.
   */
  until<const A extends string, const K extends string>(
    ref: ObjectName & { readonly apiVersion: A; readonly kind: K },
    wanted: (object: KnownObject<A, K>) => boolean,
    timeout?: Duration,
  ): Promise<KnownObject<A, K>>
  /** The same with the caller's own type. */
  until<T extends ApiObject>(ref: ObjectRef, wanted: (object: T) => boolean, timeout?: Duration): Promise<T>
  untilGone(ref: ObjectRef, timeout?: Duration): Promise<void>
}

/** An object to apply, without the fields that the server fills in. */
export interface ApiManifest {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string | undefined; [field: string]: unknown }
  [field: string]: unknown
}

export function testObjects(client: Client): TestObjects {
  return {
    apply: <T extends ApiObject>(...manifests: ApiManifest[]) => applyAll<T>(client, manifests),
    until: <T extends ApiObject>(ref: ObjectRef, wanted: (object: T) => boolean, timeout: Duration = DEFAULT_WAIT) =>
      until(client, ref, wanted, milliseconds(timeout)),
    untilGone: (ref, timeout = DEFAULT_WAIT) => untilGone(client, ref, milliseconds(timeout)),
  }
}

async function applyAll<T extends ApiObject>(client: Client, manifests: readonly ApiManifest[]): Promise<T[]> {
  const applied: T[] = []
  for (const manifest of manifests) {
    const resource = client.resourceOf<ApiObject>(manifest.apiVersion, manifest.kind)
    applied.push((await resource.apply(manifest as ApiObject, { fieldManager: 'test', force: true })) as T)
  }
  return applied
}
