// A library that authors of operators share, with a copy of @homeostat/operator of its own.

import { type Cluster, ensureSecret, ResourceService, type Services, terminal, waiting } from '@homeostat/operator'
import { z } from 'zod'

export const notYet = () => waiting('NotYet', 'the part is not there yet')
export const neverFits = () => terminal(new Error('the part is too large'), 'NeverFits')

export function password(cluster: Cluster, namespace: string) {
  const schema = z.object({ password: z.string() })
  return ensureSecret(cluster, { name: 'password', namespace, schema, generator: () => ({ password: 'x' }) })
}

/** Reads a ConfigMap, whose change must reconcile the caller again. */
export function colour(services: Services, namespace: string): string {
  const map = services.get(ResourceService).get({ apiVersion: 'v1', kind: 'ConfigMap', name: 'colour', namespace })
  return map.data?.colour ?? 'none'
}
