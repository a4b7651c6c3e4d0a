// Which kinds have objects in a namespace, and which may not be listed there: two questions, however many kinds there are. Servers
// without an overview are asked kind by kind, by who wants to know.

import { isStatusError } from '@homeostat/meta'
import { client } from '../connection/client.ts'
import type { Kind } from '../kinds/kind.ts'
import type { Rule } from './list-rules.ts'

interface Counts {
  readonly counts: readonly { readonly group: string; readonly resource: string; readonly count: number }[]
}

const OVERVIEW = '/apis/dashboard.homeostat.io/v1/overview'
const RULES = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews'

/** The kinds that have objects there; undefined for a server that has no overview, or does not show it to this user. */
export async function heldKinds(
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<((kind: Kind) => boolean) | undefined> {
  const query = namespace === undefined ? '' : `?namespace=${encodeURIComponent(namespace)}`
  try {
    const { counts } = (await client.requestJson({ method: 'GET', path: OVERVIEW + query, signal })) as Counts
    const held = new Set(counts.flatMap(({ group, resource, count }) => (count > 0 ? [`${group}/${resource}`] : [])))
    return ({ group, resource }) => held.has(`${group}/${resource}`)
  } catch (error) {
    if (isStatusError(error, 'NotFound') || isStatusError(error, 'Forbidden')) return undefined
    throw error
  }
}

/** What one may do, as far as the server tells all of it. Rules are asked for in a namespace; those of all namespaces are among them. */
export async function rulesIn(namespace = 'default', signal: AbortSignal): Promise<readonly Rule[] | undefined> {
  const review = (await client.requestJson({
    method: 'POST',
    path: RULES,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectRulesReview',
      spec: { namespace },
    }),
    signal,
  })) as { status?: { resourceRules?: readonly Rule[]; incomplete?: boolean } }
  return review.status?.incomplete ? undefined : (review.status?.resourceRules ?? [])
}
