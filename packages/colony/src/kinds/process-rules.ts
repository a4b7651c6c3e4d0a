// The rules for writes to a Process: it begins Waiting, and only cancel and priority can be changed later.

import type { WriteRules } from '@homeostat/apiserver'
import { GRAPH_LABELS } from '@homeostat/executor/graphs'
import { type ProcessSpec, RESOURCE_LABELS } from '@homeostat/executor/protocol'
import { SCHEDULE_LABELS } from '@homeostat/executor/schedules'
import { deepEqual, type KubeObject } from '@homeostat/meta'
import { type Cause, forbiddenField, invalidValue } from '@homeostat/meta/server'
import { amount } from '../queue/process-facts.ts'
import { submitted } from '../queue/transitions.ts'

/** `colony` is the user name of the colony itself, which may update the resource in a waiting Process. */
export function processRules(now: () => number, colony: string, claim: Claim): WriteRules {
  let last = 0
  return {
    beforeInsert: claim,
    prepareForCreate(object, user) {
      if (user?.username !== colony) dropOrigin(object)
      // Processes of one millisecond keep their order.
      last = Math.max(last + 1, Math.floor(now() * 1000))
      object.status = submitted(specOf(object), last)
    },
    validate: (object) => demandErrors(specOf(object)),
    validateUpdate(object, old, user) {
      return user?.username === colony
        ? []
        : [...changeErrors(specOf(object), specOf(old)), ...labelErrors(object, old)]
    },
  }
}

/** Called before a new Process is stored: an executor may be waiting for it. */
export type Claim = NonNullable<WriteRules['beforeInsert']>

const ORIGIN = [...Object.values(RESOURCE_LABELS), ...Object.values(GRAPH_LABELS), ...Object.values(SCHEDULE_LABELS)]

/**
 * Only the colony makes Processes for a resource, a graph or a schedule: their outcomes write its status, and their input is the output of
 * others.
 */
function dropOrigin({ metadata, spec }: KubeObject): void {
  for (const label of ORIGIN) delete metadata.labels?.[label]
  delete (spec as { inputFrom?: unknown }).inputFrom
}

function labelErrors({ metadata }: KubeObject, old: KubeObject): Cause[] {
  return ORIGIN.filter((label) => metadata.labels?.[label] !== old.metadata.labels?.[label]).map((label) =>
    forbiddenField(`metadata.labels[${label}]`, 'says what the colony made the Process for, and stays'),
  )
}

/** The schema allows any text, and the queue would ignore a demand that is not a quantity. */
function demandErrors({ conditions }: ProcessSpec): Cause[] {
  return (['cpu', 'memory'] as const)
    .filter((name) => conditions[name] !== undefined && amount(conditions[name]) === undefined)
    .map((name) =>
      invalidValue(`spec.conditions.${name}`, conditions[name], 'must be a quantity such as 2, 500m or 1Gi'),
    )
}

function changeErrors(spec: ProcessSpec, old: ProcessSpec): Cause[] {
  const names = new Set([...Object.keys(spec), ...Object.keys(old)]) as Set<keyof ProcessSpec>
  const causes: Cause[] = []
  for (const name of names) {
    if (name === 'priority' || deepEqual(spec[name], old[name])) continue
    if (name !== 'cancel') {
      causes.push(forbiddenField(`spec.${name}`, 'only cancel and priority may be changed; submit another Process'))
    } else if (old.cancel) causes.push(forbiddenField('spec.cancel', 'a cancel cannot be taken back'))
  }
  return causes
}

function specOf(object: KubeObject): ProcessSpec {
  return object.spec as ProcessSpec
}
