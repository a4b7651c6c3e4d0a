// Computes the conditions and the phase of a pod. Pure; reasons and messages are those of Kubernetes.

import { rfc3339 } from '@homeostat/meta'
import type { ContainerStatus, Pod, PodCondition } from '../kinds.ts'

export const SIMULATED = 'homeostat.dev/Simulated'

/** The transition time changes only with the status. */
export function withPodCondition(conditions: readonly PodCondition[], next: PodCondition, now: number): PodCondition[] {
  const old = conditions.find(({ type }) => type === next.type)
  const lastTransitionTime = (old?.status === next.status && old.lastTransitionTime) || rfc3339(now)
  const made = { ...next, lastProbeTime: null, lastTransitionTime }
  if (!old) return [...conditions, made]
  return conditions.map((condition) => (condition === old ? made : condition))
}

export interface Containers {
  readonly pod: Pod
  readonly phase: string
  readonly initialized: boolean
  readonly init: readonly ContainerStatus[]
  readonly main: readonly ContainerStatus[]
  readonly simulated: boolean
}

export function podConditions(containers: Containers, now: number): PodCondition[] {
  const { pod, simulated } = containers
  const next: PodCondition[] = [
    { type: 'PodScheduled', status: 'True' },
    initializedCondition(containers),
    containersReady(containers),
    podReady(containers),
  ]
  if (simulated) {
    const message = 'nothing really runs: the containers of this pod are simulated'
    next.push({ type: SIMULATED, status: 'True', reason: 'SimulatedRuntime', message })
  }
  return next.reduce((all, condition) => withPodCondition(all, condition, now), pod.status?.conditions ?? [])
}

function initializedCondition({ phase, initialized, init }: Containers): PodCondition {
  const type = 'Initialized'
  if (phase === 'Succeeded') return { type, status: 'True', reason: 'PodCompleted' }
  if (initialized) return { type, status: 'True' }
  const waiting = init.filter(({ state }) => state?.terminated?.exitCode !== 0).map(({ name }) => name)
  const message = `containers with incomplete status: [${waiting.join(' ')}]`
  return { type, status: 'False', reason: 'ContainersNotInitialized', message }
}

function containersReady({ phase, main }: Containers): PodCondition {
  const type = 'ContainersReady'
  if (phase === 'Succeeded') return { type, status: 'False', reason: 'PodCompleted' }
  if (phase === 'Failed') return { type, status: 'False', reason: 'PodFailed' }
  const unready = main.filter(({ ready }) => !ready).map(({ name }) => name)
  if (unready.length === 0) return { type, status: 'True' }
  const message = `containers with unready status: [${unready.join(' ')}]`
  return { type, status: 'False', reason: 'ContainersNotReady', message }
}

function podReady(containers: Containers): PodCondition {
  const own = { ...containersReady(containers), type: 'Ready' }
  if (own.status !== 'True') return own
  const { spec, status } = containers.pod
  const isTrue = (gate: string) => status?.conditions?.some(({ type, status }) => type === gate && status === 'True')
  const closed = (spec?.readinessGates ?? []).map(({ conditionType }) => conditionType).filter((gate) => !isTrue(gate))
  if (closed.length === 0) return own
  const message = closed.map((gate) => `the status of pod readiness gate "${gate}" is not "True"`).join(', ')
  return { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady', message }
}

/** The phase, from the containers. Succeeded and Failed are final. */
export function podPhase(pod: Pod, containers: Pick<Containers, 'init' | 'main' | 'initialized'>): string {
  const before = pod.status?.phase
  if (before === 'Succeeded' || before === 'Failed') return before
  const policy = pod.spec?.restartPolicy ?? 'Always'
  const { init, main, initialized } = containers
  if (!initialized) {
    const failed = init.some(({ state }) => state?.terminated && state.terminated.exitCode !== 0)
    return failed && policy === 'Never' ? 'Failed' : 'Pending'
  }
  const ends = main.map(({ state, lastState }) => state?.terminated ?? (state?.waiting && lastState?.terminated))
  if (main.some(({ state, lastState }) => state?.waiting && !lastState?.terminated)) return 'Pending'
  if (main.some(({ state }) => state?.running)) return 'Running'
  if (policy === 'Always') return 'Running'
  if (ends.every((end) => end?.exitCode === 0)) return 'Succeeded'
  return policy === 'Never' ? 'Failed' : 'Running'
}
