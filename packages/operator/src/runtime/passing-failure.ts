// Failures of a run that belong to the normal course of things: they pass by themselves, and a log that calls them errors
// is one that nobody reads. Pure; the dispatcher asks it.

import { isStatusError } from '@homeostat/meta'

/** What the log says of it; undefined for a failure that somebody should look at. `namespace` is the object's. */
export function passingFailure(error: unknown, namespace: string | undefined): string | undefined {
  if (!isStatusError(error)) return undefined
  const { reason, details: { causes = [], kind, name } = {} } = error.status
  if (reason === 'Conflict') return 'somebody else wrote first'
  if (reason === 'Forbidden' && causes.some((cause) => cause.reason === 'NamespaceTerminating')) {
    return 'the namespace is being deleted: nothing can be made in it any more'
  }
  if (reason === 'NotFound' && kind === 'namespaces' && name === namespace) return 'the namespace is gone'
  return undefined
}
