// A write that changes nothing ends here. It still migrates what is stored as an older definition wanted it.

import { deepEqual, type KubeObject } from '@homeostat/meta'
import { changesNothing } from '../../registry/unchanged.ts'
import type { Write } from '../write.ts'

/** The change itself answered with the old object. */
export function endUntouched(write: Write): void {
  if (write.object === write.old) end(write)
}

/** The object turns out to be the same when all is filled in. */
export function endUnchanged(write: Write): void {
  if (!write.current?.outdated && changesNothing(write.object, write.old as KubeObject)) end(write)
}

/** As `endUnchanged`, where nothing but the status can be another. */
export function endSameStatus(write: Write): void {
  if (deepEqual(write.object.status, write.old?.status)) end(write)
}

function end(write: Write): void {
  const { current, old, request } = write
  if (current === undefined || current.outdated) write.isDecided = true
  else write.answer = request.dryRun ? { object: old as KubeObject } : { stored: current }
}
