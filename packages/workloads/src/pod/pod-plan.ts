// Decides the next actions of one bound pod: which containers start, which units stop, and its status.
// Pure. `pod-controller.ts` carries it out; only the runtime's units say what runs.

import { rfc3339 } from '@homeostat/meta'
import type { UnitState } from '@homeostat/runtimes'
import type { Container, ContainerStatus, Pod, PodStatus } from '../kinds.ts'
import { type ContainerMemory, type ContainerPlan, planContainer } from './container-plan.ts'
import { graceOf } from './container-unit.ts'
import { podAddresses } from './pod-address.ts'
import { podConditions, podPhase } from './pod-conditions.ts'
import { attemptOf, unitsOf } from './unit-name.ts'

export interface PodState {
  readonly pod: Pod
  /** All units of this pod that the runtime has. */
  readonly units: readonly UnitState[]
  readonly runtime: { readonly name: string; readonly simulated: boolean }
  /** The address of the machine. */
  readonly address: string
  readonly memory: ReadonlyMap<string, ContainerMemory>
  readonly now: number
}

export type PodAction =
  | { readonly do: 'start'; readonly container: Container; readonly attempt: number; readonly finishedAt: number }
  | { readonly do: 'probe'; readonly container: Container; readonly unit: UnitState }
  | { readonly do: 'stop'; readonly unit: UnitState; readonly graceSeconds: number }
  /** No unit runs any more: the pod can be removed. */
  | { readonly do: 'delete' }

export interface PodPlan {
  readonly actions: readonly PodAction[]
  /** Undefined for a pod that is removed: its status stays as it is. */
  readonly status?: PodStatus
  readonly requeueAfterMs?: number
}

export function planPod(state: PodState): PodPlan {
  const { pod, units } = state
  if (pod.metadata.deletionTimestamp !== undefined) return planDeletion(pod, units)
  const isOver = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
  const init = planInit(state, isOver)
  const main = (pod.spec?.containers ?? []).map((container) => {
    if (!init.done) return { container, plan: { status: initializing(container) } }
    return { container, plan: planOf(state, container, restartsOf(pod), isOver) }
  })
  const statuses = {
    initialized: init.done,
    init: init.parts.map(({ plan }) => plan.status),
    main: main.map(({ plan }) => plan.status),
  }
  const phase = podPhase(pod, statuses)
  const ended = phase === 'Succeeded' || phase === 'Failed'
  const parts = [...init.parts, ...main]
  const steps = ended ? [] : parts.flatMap(({ container, plan }) => stepsOf(container, plan))
  const times = ended ? [] : parts.flatMap(({ plan }) => plan.at ?? [])
  return {
    actions: [...steps, ...leftovers(state, ended)],
    status: podStatus(state, phase, statuses),
    ...(times.length > 0 && { requeueAfterMs: Math.max(1, Math.min(...times) - state.now) }),
  }
}

function planDeletion({ metadata }: Pod, units: readonly UnitState[]): PodPlan {
  const graceSeconds = Math.min(Number(metadata.deletionGracePeriodSeconds ?? 0), 2 ** 31 - 1)
  if (units.length > 0) return { actions: units.map((unit) => ({ do: 'stop', unit, graceSeconds })) }
  // Without a grace period left it waits only for finalizers of other controllers.
  const isHeld = graceSeconds === 0 && (metadata.finalizers ?? []).length > 0
  return { actions: isHeld ? [] : [{ do: 'delete' }] }
}

interface Part {
  readonly container: Container
  readonly plan: ContainerPlan
}

/** Init containers run one after the other; a sidecar (restartPolicy Always) counts as done once it runs. */
function planInit(state: PodState, isOver: boolean): { parts: Part[]; done: boolean } {
  const { pod } = state
  const parts: Part[] = []
  // Initialized stays true, also when a sidecar restarts.
  const wasDone =
    pod.status?.conditions?.some(({ type, status }) => type === 'Initialized' && status === 'True') ?? false
  let done = true
  for (const container of pod.spec?.initContainers ?? []) {
    if (!done) {
      parts.push({ container, plan: { status: initializing(container) } })
      continue
    }
    const restarts = isSidecar(container) ? 'always' : pod.spec?.restartPolicy === 'Never' ? 'never' : 'on failure'
    const plan = planOf(state, container, restarts, isOver)
    const { state: now, started } = plan.status
    const complete = now?.terminated?.exitCode === 0
    done = isOver || wasDone || (isSidecar(container) ? started === true : complete)
    parts.push({ container, plan: { ...plan, status: { ...plan.status, ready: plan.status.ready || complete } } })
  }
  return { parts, done }
}

function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === 'Always'
}

function restartsOf({ spec }: Pod): 'always' | 'on failure' | 'never' {
  if (spec?.restartPolicy === 'Never') return 'never'
  return spec?.restartPolicy === 'OnFailure' ? 'on failure' : 'always'
}

function planOf(
  { pod, units, runtime, memory, now }: PodState,
  container: Container,
  restarts: 'always' | 'on failure' | 'never',
  ended: boolean,
): ContainerPlan {
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {}
  const before = [...containerStatuses, ...initContainerStatuses].find(({ name }) => name === container.name)
  return planContainer({
    container,
    units: unitsOf(units, container.name),
    before,
    memory: memory.get(container.name) ?? {},
    restarts,
    runtime,
    ended,
    now,
  })
}

function initializing({ name, image = '' }: Container): ContainerStatus {
  const state = { waiting: { reason: 'PodInitializing' } }
  return { name, image, imageID: '', ready: false, started: false, restartCount: 0, state, lastState: {} }
}

function stepsOf(container: Container, { start, probe, status }: ContainerPlan): PodAction[] {
  if (probe) return [{ do: 'probe', container, unit: probe }]
  if (start === undefined) return []
  const end = status.state?.terminated?.finishedAt
  return [{ do: 'start', container, attempt: start, finishedAt: end === undefined ? 0 : Date.parse(end) }]
}

/** Units older than the previous attempt, and units that still run of a pod that has ended. */
function leftovers({ pod, units }: PodState, ended: boolean): PodAction[] {
  const graceSeconds = graceOf(pod)
  const containers = [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])]
  return containers.flatMap(({ name }) => {
    const own = unitsOf(units, name)
    const newest = own[0] ? attemptOf(own[0]) : 0
    return own
      .filter((unit) => attemptOf(unit) < newest - 1 || (ended && unit.phase !== 'exited'))
      .map((unit) => ({ do: 'stop' as const, unit, graceSeconds }))
  })
}

function podStatus(
  { pod, units, runtime, address, now }: PodState,
  phase: string,
  { initialized, init, main }: { initialized: boolean; init: ContainerStatus[]; main: ContainerStatus[] },
): PodStatus {
  const { startTime = rfc3339(now), ...before } = pod.status ?? {}
  return {
    ...before,
    ...podAddresses({ pod, units, simulated: runtime.simulated, address }),
    phase,
    startTime,
    conditions: podConditions({ pod, phase, initialized, init, main, simulated: runtime.simulated }, now),
    ...(init.length > 0 && { initContainerStatuses: init }),
    containerStatuses: main,
  }
}
