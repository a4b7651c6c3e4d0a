// `controller('apps/v1', 'Deployment', reconcile)`: a controller for a kind that the server already has.

import type { ApiObject, KindName, ObjectOf } from '@homeostat/client'
import type { Controlled } from './runtime/controlled.ts'
import type { Behaviour, Outcome, ReconcileContext } from './runtime/reconcile-context.ts'

export interface ControllerParts<T extends ApiObject>
  extends Behaviour<T>,
    Pick<Controlled, 'watches' | 'predicate' | 'reports' | 'select' | 'resync' | 'timeout' | 'children' | 'access'> {}

export function controller<const A extends string, const K extends string>(
  apiVersion: A,
  kind: KindName<A, K>,
  given: ControllerParts<ObjectOf<A, K>> | ((run: ReconcileContext<ObjectOf<A, K>>) => Promise<Outcome>),
): Controlled {
  if (typeof given === 'function')
    return { apiVersion, kind, createBehaviour: () => ({ reconcile: given }) as Behaviour }
  const { watches, predicate, reports, select, resync, timeout, children, access, cleanup } = given
  return {
    apiVersion,
    kind,
    createBehaviour: () => given as unknown as Behaviour,
    ...(watches && { watches }),
    ...(predicate && { predicate }),
    ...(reports !== undefined && { reports }),
    ...(select && { select }),
    ...(resync !== undefined && { resync }),
    ...(timeout !== undefined && { timeout }),
    ...(children && { children }),
    ...(access && { access }),
    ...(cleanup && { cleansUp: true }),
  }
}
