// Recognises transient failures of a reconcile, which a retry resolves and which are not logged as errors. Pure; the
// dispatcher calls it.

import { isStatusError } from '@homeostat/meta'

/** The log message of a transient failure; undefined for any other. `namespace` is the object's. */
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
