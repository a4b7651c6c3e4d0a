// Removes fields that the schema does not know. It refuses them or warns of them as fieldValidation asks.

import { pruneDecoded } from '../../registry/decode-object.ts'
import type { Write } from '../write.ts'

export function prune(write: Write): void {
  if (write.decoded === undefined) throw new Error('nothing was decoded that could be pruned')
  write.object = pruneDecoded(write.decoded, write.request, write.old)
  write.decoded = undefined
}
