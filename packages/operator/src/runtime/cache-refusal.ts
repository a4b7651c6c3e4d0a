// Tells whether the server refuses to show a kind to this operator; such a cache does not become synced by waiting.

import { isStatusError } from '@homeostat/meta'

export function isRefusal(error: Error | undefined): boolean {
  return isStatusError(error, 'Forbidden') || isStatusError(error, 'Unauthorized')
}
