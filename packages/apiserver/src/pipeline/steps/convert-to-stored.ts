// Converts the decided object into the version to store, where only a webhook can. It is the last step that may wait.

import { deepClone } from '@homeostat/meta'
import { apiVersionOf } from '../../registry/decode-object.ts'
import { storedType } from '../../registry/versions.ts'
import type { Write } from '../write.ts'

export function convertToStored(write: Write): undefined | Promise<void> {
  return write.type.converter === undefined || write.answer !== undefined ? undefined : convert(write)
}

async function convert(write: Write): Promise<void> {
  const { registry, type, object } = write
  const stored = storedType(registry, type)
  const converted = await type.converter?.convert(deepClone(object), apiVersionOf(stored))
  if (converted === undefined) return
  stored.strategy.prune(converted)
  stored.strategy.applyDefaults(converted)
  write.converted = converted
}
