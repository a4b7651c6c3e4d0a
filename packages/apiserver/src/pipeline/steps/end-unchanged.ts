// Ends a write that changes nothing, unless the stored bytes are of an older definition: then it migrates them.

import { deepEqual, type KubeObject } from '@homeostat/meta'
import { changesNothing } from '../../registry/unchanged.ts'
import type { Write } from '../write.ts'

/** The edit, patch or merge returned the old object itself. */
export function endUntouched(write: Write): void {
  if (write.object === write.old) end(write)
}

/** The object equals the old one after defaults are filled in. */
export function endUnchanged(write: Write): void {
  if (!write.current?.outdated && changesNothing(write.object, write.old as KubeObject)) end(write)
}

/** As `endUnchanged`, for a write that can change only the status. */
export function endSameStatus(write: Write): void {
  if (deepEqual(write.object.status, write.old?.status)) end(write)
}

function end(write: Write): void {
  const { current, old, request } = write
  if (current === undefined || current.outdated) write.isDecided = true
  else write.answer = request.dryRun ? { object: old as KubeObject } : { stored: current }
}
