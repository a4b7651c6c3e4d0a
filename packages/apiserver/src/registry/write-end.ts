// How an attempt to write ended, for whoever took something for it and may have to give it back.

import type { CachedObject } from '../cache/cached-object.ts'

/** With what was stored, or without when nothing was. */
export type WriteEnd = (stored: CachedObject | undefined) => void
