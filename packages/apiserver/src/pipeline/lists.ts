// The steps of a write, one list per verb; run-write.ts runs them. A new rule is a step in its own file plus one entry
// in these lists.

import { deepClone } from '@homeostat/meta'
import type { JsonRead } from '@homeostat/meta/server'
import type { DeleteOptions } from '../registry/delete-options.ts'
import { LARGE } from '../registry/large.ts'
import { showsStored } from '../registry/versions.ts'
import type { Attempt, Pipeline } from './run-write.ts'
import { admit } from './steps/admit.ts'
import {
  type Configuration,
  checkConfiguration,
  copyMerged,
  mergeConfiguration,
  refuseUnknownUid,
} from './steps/apply.ts'
import { applyDefaults } from './steps/apply-defaults.ts'
import { checkPlace } from './steps/check-place.ts'
import { checkRevision, checkUid, refuseChangedUid, requireRevision } from './steps/check-preconditions.ts'
import { commit } from './steps/commit.ts'
import { convertToStored } from './steps/convert-to-stored.ts'
import { decode, takeBody } from './steps/decode.ts'
import { callEdit, callStatusEdit, type Edit } from './steps/edit.ts'
import { encode, encodeNew, keepParsed } from './steps/encode.ts'
import { endSameStatus, endUnchanged, endUntouched } from './steps/end-unchanged.ts'
import { ensureNamespace } from './steps/ensure-namespace.ts'
import { giveName } from './steps/give-name.ts'
import { checkLifecycle } from './steps/lifecycle.ts'
import { mutate } from './steps/mutate.ts'
import { applyPatch, decodePatched, type Patch, refuseRename, reportPatchProblems } from './steps/patch.ts'
import {
  admitDeletion,
  checkDeletePreconditions,
  commitDeletion,
  endMarked,
  planDeletion,
} from './steps/plan-deletion.ts'
import { prepare, prepareNew, prepareValidated } from './steps/prepare.ts'
import { prune } from './steps/prune.ts'
import { readOld, readShared, requireCurrent } from './steps/read-current.ts'
import { copySent, dropRevision, keepSent } from './steps/replace.ts'
import { reserve } from './steps/reserve.ts'
import { type ScaleChange, setReplicas } from './steps/set-replicas.ts'
import { type NextStatus, setStatus } from './steps/set-status.ts'
import { refuseRevision, stamp } from './steps/stamp.ts'
import { keepAppliedFields, recordFields, trackFields, trackNewFields, trackScaleFields } from './steps/track-fields.ts'
import { beforeValidation, validateNew, validateStatus, validateUpdate, warn } from './steps/validate.ts'
import type { Step, Write } from './write.ts'

/** Skips the step when only the generated name changed since the last attempt. */
const once =
  (step: Step): Step =>
  (write) =>
    write.isRenamed ? undefined : step(write)

const completeNew = (track: Step): readonly Step[] => [
  giveName,
  applyDefaults,
  track,
  once(mutate(track)),
  prepareNew,
  once(beforeValidation),
  once(validateNew),
  once(warn),
  once(ensureNamespace(() => create)),
  prepareValidated,
  admit,
  convertToStored,
]
const storeNew: readonly Step[] = [checkLifecycle, reserve, encodeNew, commit]

const completeUpdate = (track: Step): readonly Step[] => [
  applyDefaults,
  track,
  mutate(track),
  prepare,
  beforeValidation,
  validateUpdate,
  warn,
  admit,
  endUnchanged,
  convertToStored,
]
const storeUpdate: readonly Step[] = [reserve, encode, commit]

/** POST. */
export const create: Pipeline<JsonRead> = {
  first: [takeBody, decode, prune, refuseRevision, checkPlace, checkLifecycle, stamp],
  attempt: () => createAttempt,
  namesLate: true,
  copyInput: copyBody,
}
const createAttempt: Attempt<unknown> = { decide: completeNew(trackNewFields), store: storeNew }

/** PUT of the object, its status or another subresource. */
export const replace: Pipeline<JsonRead> = {
  first: [takeBody, decode, prune, checkPlace, keepSent],
  attempt: (write) => (mayCreate(write) ? replaceNothing : replaceObject),
  copyInput: copyBody,
}
const replaceObject: Attempt<unknown> = {
  decide: [requireCurrent, readOld, copySent, checkUid, requireRevision, checkRevision, ...completeUpdate(trackFields)],
  store: storeUpdate,
}
const replaceNothing: Attempt<unknown> = {
  decide: [copySent, dropRevision, checkLifecycle, stamp, ...completeNew(trackNewFields)],
  store: storeNew,
}

/** JSON, merge or strategic PATCH of the object, its status or another subresource. */
export const patch: Pipeline<Patch> = {
  first: [reportPatchProblems],
  attempt: () => patchAttempt,
}
const patchAttempt: Attempt<Patch> = {
  decide: [
    requireCurrent,
    readOld,
    applyPatch,
    endUntouched,
    decodePatched,
    refuseRename,
    checkRevision,
    refuseChangedUid,
    ...completeUpdate(trackFields),
  ],
  store: storeUpdate,
}

/** Server-side apply of the object, its status or its scale. An apply to a subresource never creates. */
export const apply: Pipeline<Configuration> = {
  first: [checkConfiguration],
  attempt: ({ current, request }) =>
    current === undefined && request.subresource === undefined ? applyNew : applyUpdate,
}
const applyUpdate: Attempt<Configuration> = {
  decide: [
    requireCurrent,
    readOld,
    mergeConfiguration,
    endUntouched,
    copyMerged,
    decode,
    prune,
    checkUid,
    checkRevision,
    ...completeUpdate(keepAppliedFields),
  ],
  store: storeUpdate,
}
const applyNew: Attempt<Configuration> = {
  decide: [
    refuseUnknownUid,
    readOld,
    mergeConfiguration,
    copyMerged,
    decode,
    prune,
    refuseRevision,
    checkPlace,
    checkLifecycle,
    stamp,
    ...completeNew(keepAppliedFields),
  ],
  store: storeNew,
}

/** PUT and PATCH of the scale subresource. */
export const scale: Pipeline<ScaleChange> = { first: [], attempt: () => scaleAttempt }
const scaleAttempt: Attempt<ScaleChange> = {
  decide: [requireCurrent, readOld, setReplicas, checkUid, checkRevision, ...completeUpdate(trackScaleFields)],
  store: storeUpdate,
}

/** An update by code inside the server, as an edit of the stored object. */
export const change: Pipeline<Edit> = { first: [], attempt: () => changeAttempt }
const changeAttempt: Attempt<Edit> = {
  decide: [requireCurrent, readOld, callEdit, decode, prune, checkUid, checkRevision, ...completeUpdate(trackFields)],
  store: storeUpdate,
}

/** A status update by code inside the server. It is the hot path of the Process queue, so it skips most steps. */
export const status: Pipeline<NextStatus> = {
  first: [],
  attempt: (write) => (isSimple(write) ? shortStatus : wholeStatus),
}
const shortStatus: Attempt<NextStatus> = {
  decide: [
    readShared,
    setStatus,
    endUntouched,
    applyDefaults,
    endSameStatus,
    trackFields,
    recordFields,
    validateStatus,
  ],
  store: [encode, keepParsed, commit],
}
const wholeStatus: Attempt<NextStatus> = {
  decide: [
    requireCurrent,
    readOld,
    callStatusEdit,
    endUntouched,
    decode,
    prune,
    checkUid,
    checkRevision,
    ...completeUpdate(trackFields),
  ],
  store: storeUpdate,
}

/** DELETE, also of each object of a collection. */
export const remove: Pipeline<DeleteOptions> = { first: [], attempt: () => removeAttempt, deletes: true }
const removeAttempt: Attempt<DeleteOptions> = {
  decide: [requireCurrent, readOld, checkDeletePreconditions, planDeletion, admitDeletion, endMarked],
  store: [commitDeletion],
}

/** For some kinds a PUT creates the object if it does not exist. */
function mayCreate({ current, type, request }: Write): boolean {
  return current === undefined && request.subresource === undefined && type.strategy.createOnUpdate
}

/** The short list is safe only if no step yields, the stored bytes are up to date, and no added step needs the rest. */
function isSimple({ type, current, added }: Write): boolean {
  if (current === undefined || current.size > LARGE || current.outdated) return false
  return added.length === 0 && type.custom && showsStored(type) && type.strategy.rules?.hasRules !== true
}

function copyBody(body: JsonRead): JsonRead {
  return { ...body, value: deepClone(body.value), duplicates: [...body.duplicates] }
}
