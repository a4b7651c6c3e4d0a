// Plans the next action and the status of a definition. Pure: the controller reads, asks here, and acts.

import { type Condition, findCondition, setCondition } from '@homeostat/meta'
import { approvalOf } from '../builtin/definition/api-approval.ts'
import { hasInvalidBundle } from '../builtin/definition/conversion-validation.ts'
import { CLEANUP_FINALIZER, type Definition, type DefinitionStatus } from '../builtin/definition/definition.ts'
import { decideNames, type TakenNames } from './definition-names.ts'

type NewCondition = Omit<Condition, 'lastTransitionTime'>

/** The status of a definition that is not deleted. Returns the same value when nothing changes. */
export function servingStatus(definition: Definition, taken: TakenNames, now: number): DefinitionStatus {
  const { spec, status } = definition
  const before = status.conditions ?? []
  const { acceptedNames, condition } = decideNames(spec.names, status.acceptedNames, taken)
  const next = [condition, established(definition, condition), ...approval(definition)]
  const conditions = next.reduce<Condition[]>((all, one) => setCondition(all, one, now), before)
  if (conditions === before && sameNames(acceptedNames, status.acceptedNames)) return status
  return { ...status, acceptedNames, conditions }
}

/** Once established, a definition stays established, whatever happens to its names. */
function established(definition: Definition, names: NewCondition): NewCondition {
  const old = findCondition(definition.status.conditions ?? [], 'Established')
  if (old?.status === 'True') {
    const { lastTransitionTime: _, ...same } = old
    return same
  }
  if (names.status === 'True' && hasInvalidBundle(definition)) {
    return {
      type: 'Established',
      status: 'False',
      reason: 'InvalidCABundle',
      message: 'The conversion webhook CABundle is invalid',
    }
  }
  if (names.status === 'True') {
    return {
      type: 'Established',
      status: 'True',
      reason: 'InitialNamesAccepted',
      message: 'the initial names have been accepted',
    }
  }
  return { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' }
}

function approval(definition: Definition): NewCondition[] {
  const found = approvalOf(definition)
  if (found === undefined) return []
  const status = found.state === 'Approved' ? 'True' : 'False'
  const type = 'KubernetesAPIApprovalPolicyConformant'
  return [{ type, status, reason: `${found.state}Annotation`, message: found.message }]
}

type DefinitionAction =
  /** Serve it as its status says. */
  | 'serve'
  /** Delete its objects; release it when none is left. */
  | 'empty'
  /** Its objects are deleted; finalizers of others still hold it. */
  | 'wait'

export function planDefinition({ metadata }: Definition): DefinitionAction {
  if (metadata.deletionTimestamp === undefined) return 'serve'
  return metadata.finalizers?.includes(CLEANUP_FINALIZER) ? 'empty' : 'wait'
}

/** One second at least: the time of the deletion has no parts of a second. */
const SHOWN_MS = 2000

/** For how long a definition without objects still says that it is terminating, in ms: clients that poll want to see it. */
export function showsTerminatingFor({ metadata }: Definition, now: number): number {
  return Date.parse(metadata.deletionTimestamp ?? '') + SHOWN_MS - now
}

export function terminatingStatus(definition: Definition, action: 'empty' | 'wait', now: number): DefinitionStatus {
  const { status } = definition
  const before = status.conditions ?? []
  const condition: NewCondition =
    action === 'empty'
      ? {
          type: 'Terminating',
          status: 'True',
          reason: 'InstanceDeletionInProgress',
          message: 'CustomResource deletion is in progress',
        }
      : {
          type: 'Terminating',
          status: 'False',
          reason: 'InstanceDeletionCompleted',
          message: 'removed all instances',
        }
  const conditions = setCondition(before, condition, now)
  return conditions === before ? status : { ...status, conditions }
}

/** The definition without this controller's finalizer. */
export function releasedDefinition(definition: Definition): Definition {
  const finalizers = (definition.metadata.finalizers ?? []).filter((finalizer) => finalizer !== CLEANUP_FINALIZER)
  return { ...definition, metadata: { ...definition.metadata, finalizers } }
}

function sameNames(a: object, b: object): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort())
}
