// Fills in what the schema and the rules of the kind have defaults for.

import { asShown } from '../../registry/decode-object.ts'
import type { Write } from '../write.ts'

/** What the object shares with `old` has its defaults. */
export function applyDefaults({ type, object, old }: Write): void {
  type.strategy.applyDefaults(object, asShown(type, old))
}
