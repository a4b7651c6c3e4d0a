// Builds the `Fighting` condition of an object whose child another manager keeps changing. Pure.

import { type Fight, WHOLE_OBJECT } from './companions.ts'
import type { ConditionInput, ObjectRef } from './reconcile-context.ts'

export function fightCondition(child: ObjectRef, fight: Fight): ConditionInput & { reason: string; message: string } {
  const { field, manager, rival } = fight
  if (field === WHOLE_OBJECT) {
    const message =
      `${child.kind} ${child.name} is made by ${manager} and deleted by ${rival}, again and again. ` +
      'Find out who does: a controller, a user, or the garbage collector because its owner is not there.'
    return { status: 'True', reason: 'DeletedByOther', message }
  }
  return {
    status: 'True',
    reason: 'FieldChangedByOther',
    message:
      `${field} of ${child.kind} ${child.name} is set by ${manager} and changed by ${rival}, again and again. ` +
      `Leave it out of the manifest, or stop ${rival}.`,
  }
}
