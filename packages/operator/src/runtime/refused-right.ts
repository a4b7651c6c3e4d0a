// A right that the operator lacks, read from the server's 403: what it wanted to do, to which kind, and where. Conditions and
// logs name it, and such a failure is retried slowly, since only somebody else can change it. Pure.

import { isStatusError } from '@homeostat/meta'

export interface RefusedRight {
  readonly verb: string
  /** `deployments.apps`, `pods/log`, or a path. */
  readonly resource: string
  /** Undefined: at the cluster scope. */
  readonly namespace?: string
  /** The command by which an administrator gives the right, if the server tells it. */
  readonly grant?: string
}

/** Undefined for any other error. A 403 in other words than Kubernetes' has only its message. */
export function refusedRight(error: unknown): RefusedRight | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < MAX_DEPTH; at = at.cause, depth++) {
    if (isStatusError(at, 'Forbidden')) return readRefusal(at.message, at.status.details?.causes ?? [])
  }
  return undefined
}

/** Causes may be a circle. */
const MAX_DEPTH = 8
const RESOURCE =
  /cannot (\S+) resource "([^"]+)" in API group "([^"]*)" (?:in the namespace "([^"]*)"|at the cluster scope)/
const PATH = /cannot (\S+) path "([^"]+)"/

function readRefusal(
  message: string,
  causes: readonly { readonly reason: string; readonly message: string }[],
): RefusedRight | undefined {
  const line = causes.find(({ reason }) => reason === 'MissingRule')?.message
  const grant = line === undefined ? {} : { grant: line }
  const [, verb, plural, group, namespace] = RESOURCE.exec(message) ?? []
  if (verb !== undefined && plural !== undefined) {
    const slash = plural.indexOf('/')
    const [resource, part] = slash < 0 ? [plural, ''] : [plural.slice(0, slash), plural.slice(slash)]
    const whole = `${resource}${group === '' ? '' : `.${group}`}${part}`
    return { verb, resource: whole, ...(namespace !== undefined && { namespace }), ...grant }
  }
  const [, method, path] = PATH.exec(message) ?? []
  return method === undefined || path === undefined ? undefined : { verb: method, resource: path, ...grant }
}

export function refusedText({ verb, resource, namespace, grant }: RefusedRight): string {
  const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`
  const how = grant === undefined ? 'add the rule to its role' : `an administrator allows it with: ${grant}`
  return `the operator may not ${verb} ${resource} ${where}; ${how}`
}
