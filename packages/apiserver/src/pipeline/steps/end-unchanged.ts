// Ends a write that changes nothing, unless the stored bytes are of an older definition or of another version: then it
// migrates them.

import { deepEqual, type KubeObject } from '@homeostat/meta'
import { changesNothing } from '../../registry/unchanged.ts'
import { isStoredOtherwise } from '../../registry/versions.ts'
import type { Write } from '../write.ts'
import { convertToStored } from './convert-to-stored.ts'

/** The edit, patch or merge returned the old object itself. */
export function endUntouched(write: Write): undefined | Promise<void> {
  return write.object === write.old && !isJudged(write) ? end(write) : undefined
}

/** Rules, policies and webhooks are asked about a write that changes nothing, too: a rule about `oldSelf` may refuse it. */
export function isJudged({ added, type }: Write): boolean {
  const { rules } = type.strategy
  return added.length > 0 || rules?.hasRules === true || rules?.judgesTypeNames === true
}

/** The object equals the old one after defaults are filled in. */
export function endUnchanged(write: Write): undefined | Promise<void> {
  const { current, type } = write
  const migrates = current !== undefined && isStoredOtherwise(current, type)
  return !migrates && changesNothing(write.object, write.old as KubeObject) ? end(write) : undefined
}

/** As `endUnchanged`, for a write that can change only the status. */
export function endSameStatus(write: Write): undefined | Promise<void> {
  return deepEqual(write.object.status, write.old?.status) ? end(write) : undefined
}

/** An object that is only migrated passes no other step, but is converted. */
function end(write: Write): undefined | Promise<void> {
  const { current, old, request, type } = write
  if (current === undefined || isStoredOtherwise(current, type)) {
    write.isDecided = true
    return convertToStored(write)
  }
  write.answer = request.dryRun ? { object: old as KubeObject } : { stored: current }
  return undefined
}
