// Fills in the defaults of the schema and of the kind's rules.

import { asShown } from '../../registry/decode-object.ts'
import type { Write } from '../write.ts'

/** Skips the parts that the object shares with `old`: they have their defaults. */
export function applyDefaults({ type, object, old }: Write): void {
  type.strategy.applyDefaults(object, asShown(type, old))
}
