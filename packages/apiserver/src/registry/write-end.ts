// The callback that hears how an attempt to write ended, for steps that reserve something and may have to release it.

import type { CachedObject } from '../cache/cached-object.ts'

/** Called with the stored object, or with undefined when nothing was stored. */
export type WriteEnd = (stored: CachedObject | undefined) => void
