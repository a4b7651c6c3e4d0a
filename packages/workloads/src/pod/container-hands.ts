// Carries out a plan for one container: starts it, or runs its readiness probe. It remembers the results for the next plan,
// also failures to start, which it never throws.

import { messageOf } from '@homeostat/base'
import type { ReconcileContext } from '@homeostat/operator'
import type { Runtime } from '@homeostat/runtimes'
import type { Pod } from '../kinds.ts'
import { restarted } from './back-off.ts'
import { containerEnv, type DataObject } from './container-env.ts'
import type { ContainerMemory } from './container-plan.ts'
import { containerUnit, withAccess } from './container-unit.ts'
import type { GivenAccess } from './pod-accounts.ts'
import type { PodAction } from './pod-plan.ts'
import { nextReadiness } from './readiness.ts'
import { runProbe } from './run-probe.ts'
import type { UnitStarts } from './unit-starts.ts'

/** By name of the container. */
export type PodMemory = Map<string, ContainerMemory>

/** The delay of a retry after a failed start, if nothing changes before. */
export const REFUSED_MS = 10_000

export async function startContainer(
  run: ReconcileContext<Pod>,
  runtime: Runtime,
  starts: UnitStarts,
  memory: PodMemory,
  { container, attempt, finishedAt }: Extract<PodAction, { do: 'start' }>,
  given?: GivenAccess,
): Promise<void> {
  const pod = run.object
  const { refusal: _, ...before } = memory.get(container.name) ?? {}
  const now = run.clock.now()
  let outcome: 'started' | 'underway'
  let reason = 'CreateContainerConfigError'
  try {
    if (given?.problem !== undefined) throw given.problem
    const own = await containerEnv(pod, container, (kind, name) =>
      run.read<DataObject>({ apiVersion: 'v1', kind, name, namespace: pod.metadata.namespace }),
    )
    // What the container says itself goes first.
    const env = { ...given?.access?.env, ...own }
    const unit = withAccess(containerUnit(pod, container, attempt, env, runtime), given?.access)
    reason = 'CreateContainerError'
    outcome = await starts.start(runtime, unit)
  } catch (error) {
    run.signal.throwIfAborted()
    const message = messageOf(error)
    run.event({ type: 'Warning', reason: 'Failed', message: `Error: ${message}`, action: 'Start' })
    // Errors in the pod's references are retried with the next reconcile, which a change of the objects triggers.
    const retryAt = reason === 'CreateContainerError' ? now + REFUSED_MS : now
    memory.set(container.name, { ...before, refusal: { reason, message, retryAt } })
    return
  }
  const backOff = attempt > 0 ? { backOff: restarted(before.backOff, finishedAt, now) } : {}
  memory.set(container.name, { ...before, ...backOff })
  if (outcome === 'underway') return
  run.event({ reason: 'Started', message: `Started container ${container.name}`, action: 'Start' })
}

export async function probeContainer(
  run: ReconcileContext<Pod>,
  runtime: Runtime,
  memory: PodMemory,
  { container, unit }: Extract<PodAction, { do: 'probe' }>,
): Promise<void> {
  const { name, readinessProbe = {} } = container
  const problem = await runProbe(container, readinessProbe, { runtime, unit }, run.signal)
  if (problem !== undefined) {
    const message = `Readiness probe failed: ${problem}`
    run.event({ type: 'Warning', reason: 'Unhealthy', message, action: 'Probe' })
  }
  const before = memory.get(name) ?? {}
  const success = problem === undefined
  const readiness = nextReadiness(before.readiness, unit.id, success, readinessProbe, run.clock.now())
  memory.set(name, { ...before, readiness })
}
