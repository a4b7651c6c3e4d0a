// Computes the status of an ExecutorDeployment after a reconcile. Pure. Without a change it returns the same status.

import { type Condition, deepEqual, rfc3339, setCondition } from '@homeostat/meta'

export type Phase = 'Pending' | 'Running' | 'Degraded' | 'Failed' | 'Terminating'

/** One executor as its runtime shows it. */
export interface Replica {
  readonly name: string
  readonly isRunning: boolean
  /** Whether the executor is online. */
  readonly isOnline: boolean
  /** Whether it matches the current spec. */
  readonly isCurrent: boolean
  /** Why it does not run. */
  readonly message?: string
}

/** Where executors were deployed, so that they can be removed after the spec has changed. */
export interface DeployedTo {
  readonly runtime: string
  /** That of the controller. */
  readonly location?: string
  readonly namespace?: string
  readonly kubeconfig?: string
}

export interface DeploymentStatus {
  readonly phase?: Phase
  readonly ready?: number
  readonly available?: number
  readonly deployedExecutors?: readonly string[]
  readonly message?: string
  readonly deployedTo?: DeployedTo
  readonly lastUpdateTime?: string
  readonly conditions?: readonly Condition[]
}

export interface Findings {
  readonly generation: number
  /** Undefined when the spec cannot be read. */
  readonly wanted: number | undefined
  readonly replicas: readonly Replica[]
  readonly deployedTo: DeployedTo | undefined
  readonly isDeleting: boolean
  /** Why the spec is refused. */
  readonly refusal?: { readonly reason: string; readonly message: string }
  /** The error of the reconcile. */
  readonly error?: string
  /** Fields of the spec that the runtime ignores. */
  readonly unused?: readonly string[]
  /** Warnings about a valid spec. */
  readonly warnings?: readonly string[]
  /** The place to which they move. */
  readonly movesTo?: string
}

export function deploymentStatus(previous: DeploymentStatus, findings: Findings, now: number): DeploymentStatus {
  const { generation, replicas, deployedTo, refusal } = findings
  const running = replicas.filter(({ isRunning }) => isRunning)
  const ready = running.filter(({ isCurrent, isOnline }) => isCurrent && isOnline).length
  const phase = phaseOf(findings, ready, running.length)
  const message = messageOf(findings, ready)
  const own = previous.conditions?.filter(({ type }) => type === 'Accepted' || type === 'Ready')
  const accepted = setCondition(own, { ...acceptedOf(findings), observedGeneration: generation }, now)
  const isReady = phase === 'Running'
  const conditions = setCondition(
    accepted,
    {
      type: 'Ready',
      status: isReady ? 'True' : 'False',
      reason: isReady ? 'AllReplicasReady' : (refusal?.reason ?? reasonOf(findings)),
      message,
      observedGeneration: generation,
    },
    now,
  )
  const next: DeploymentStatus = {
    phase,
    ready,
    available: running.length,
    deployedExecutors: replicas.map(({ name }) => name).sort(byNumber),
    message,
    ...(deployedTo && { deployedTo }),
    conditions,
  }
  const { lastUpdateTime, ...before } = ownFields(previous)
  return { ...next, lastUpdateTime: (deepEqual(before, next) && lastUpdateTime) || rfc3339(now) }
}

function phaseOf({ isDeleting, refusal, error, wanted, replicas }: Findings, ready: number, running: number): Phase {
  if (isDeleting) return 'Terminating'
  if (refusal || error !== undefined) return running > 0 ? 'Degraded' : 'Failed'
  if (ready === wanted && replicas.length === wanted) return 'Running'
  return running > 0 ? 'Degraded' : 'Pending'
}

function messageOf({ refusal, error, wanted, isDeleting, replicas, movesTo }: Findings, ready: number): string {
  if (movesTo !== undefined) return `the executors here are gone; the next ones are for ${movesTo}`
  if (isDeleting) return error ?? `${replicas.length} still to stop`
  const failure = refusal?.message ?? error
  const counts = wanted === undefined ? '' : `${ready} of ${wanted} running`
  if (failure !== undefined) return counts === '' ? failure : `${counts}: ${failure}`
  if (ready === wanted && replicas.length === wanted) return counts
  const lame = replicas.find(({ isRunning, message }) => !isRunning && message !== undefined)
  if (lame) return `${counts}: ${lame.name}: ${lame.message}`
  const silent = replicas.find(({ isRunning, isOnline }) => isRunning && !isOnline)
  return silent ? `${counts}: ${silent.name} runs, and has not come online as an executor` : counts
}

function acceptedOf({ refusal, unused = [], warnings = [] }: Findings) {
  if (refusal) return { type: 'Accepted', status: 'False', ...refusal } as const
  const ignored = unused.length === 0 ? [] : [`not used by this runtime: ${unused.join(', ')}`]
  const message = [...warnings, ...ignored].join('; ')
  return { type: 'Accepted', status: 'True', reason: 'Accepted', message } as const
}

function reasonOf({ isDeleting, error, movesTo }: Findings): string {
  if (isDeleting) return 'Terminating'
  if (movesTo !== undefined) return 'Moving'
  return error === undefined ? 'ReplicasMissing' : 'ReconcileFailed'
}

type Compared = { readonly [K in keyof DeploymentStatus]-?: DeploymentStatus[K] | undefined }

/** The colony also writes `observedGeneration` and conditions of its own. */
function ownFields(status: DeploymentStatus): Compared {
  const { phase, ready, available, deployedExecutors, message, deployedTo, lastUpdateTime, conditions } = status
  const own = conditions?.filter(({ type }) => type === 'Accepted' || type === 'Ready')
  return { phase, ready, available, deployedExecutors, message, deployedTo, lastUpdateTime, conditions: own }
}

/** `x-2` before `x-10`. */
function byNumber(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true })
}
