// The table of pods: readiness, status as one word, and restarts.

import { isObject, type KubeObject } from '@homeostat/meta'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import { age, type Cells, NONE, name, numberAt, since, text, textAt, valueAt } from './cells.ts'

export const POD_CELLS: Cells = [
  name,
  (pod) => {
    const { ready, total } = stateOf(pod)
    return `${ready}/${total}`
  },
  (pod) => stateOf(pod).reason,
  (pod, now) => {
    const { restarts, lastRestart } = stateOf(pod)
    return restarts !== 0 && lastRestart !== '' ? `${restarts} (${since(lastRestart, now)} ago)` : String(restarts)
  },
  age,
  (pod) => textAt(listOf(valueAt(pod, 'status.podIPs'))[0], 'ip') || NONE,
  text('spec.nodeName', NONE),
  text('status.nominatedNodeName', NONE),
  readinessGates,
]

interface PodState {
  reason: string
  ready: number
  total: number
  restarts: number
  /** The time at which a container last ended; empty when none has. */
  lastRestart: string
}

function stateOf(pod: KubeObject): PodState {
  const status = fieldsOf(pod.status)
  const sidecars = sidecarNames(pod)
  const state: PodState = {
    reason: firstReason(status),
    ready: 0,
    total: listOf(valueAt(pod, 'spec.containers')).length + sidecars.size,
    restarts: 0,
    lastRestart: '',
  }
  const initialising = initState(pod, sidecars, state)
  if (!initialising || hasCondition(status, 'Initialized')) mainState(status, sidecars, state)
  if (pod.metadata.deletionTimestamp !== undefined) {
    const phase = textOf(status.phase)
    if (textOf(status.reason) === 'NodeLost') state.reason = 'Unknown'
    else if (phase !== 'Failed' && phase !== 'Succeeded') state.reason = 'Terminating'
  }
  return state
}

function firstReason(status: Fields): string {
  const gated = conditionsOf(status).some((one) => one.type === 'PodScheduled' && one.reason === 'SchedulingGated')
  return gated ? 'SchedulingGated' : textOf(status.reason) || textOf(status.phase)
}

/** Sidecars: init containers that keep running beside the others. */
function sidecarNames(pod: KubeObject): Set<unknown> {
  const all = listOf(valueAt(pod, 'spec.initContainers')).map(fieldsOf)
  return new Set(all.filter(({ restartPolicy }) => restartPolicy === 'Always').map((container) => container.name))
}

/** True while an init container has not finished; then `state.reason` names it. */
function initState(pod: KubeObject, sidecars: ReadonlySet<unknown>, state: PodState): boolean {
  const statuses = listOf(valueAt(pod, 'status.initContainerStatuses')).map(fieldsOf)
  for (const [index, container] of statuses.entries()) {
    countRestarts(container, state)
    const { terminated, waiting } = statesOf(container)
    if (terminated && numberAt(terminated, 'exitCode') === 0) continue
    if (sidecars.has(container.name) && container.started === true) {
      if (container.ready === true) state.ready++
      continue
    }
    const waitingFor = textOf(waiting?.reason)
    if (terminated) state.reason = `Init:${endOf(terminated)}`
    else if (waitingFor !== '' && waitingFor !== 'PodInitializing') state.reason = `Init:${waitingFor}`
    else state.reason = `Init:${index}/${listOf(valueAt(pod, 'spec.initContainers')).length}`
    return true
  }
  return false
}

function mainState(status: Fields, sidecars: ReadonlySet<unknown>, state: PodState): void {
  state.restarts = 0
  state.lastRestart = ''
  for (const container of listOf(status.initContainerStatuses).map(fieldsOf)) {
    if (sidecars.has(container.name)) countRestarts(container, state)
  }
  let running = false
  let failure = ''
  // Goes backwards, so that the reason of the first container wins.
  for (const container of listOf(status.containerStatuses).map(fieldsOf).reverse()) {
    countRestarts(container, state)
    const { waiting, terminated, running: runs } = statesOf(container)
    if (waiting && textOf(waiting.reason) !== '') state.reason = textOf(waiting.reason)
    else if (terminated) {
      state.reason = endOf(terminated)
      if (numberAt(terminated, 'exitCode') !== 0) failure = state.reason
    } else if (container.ready === true && runs) {
      running = true
      state.ready++
    }
  }
  if (state.reason !== 'Completed') return
  if (running && hasCondition(status, 'Ready')) state.reason = 'Running'
  else if (failure !== '') state.reason = failure
  else if (running) state.reason = 'NotReady'
}

function countRestarts(container: Fields, state: PodState): void {
  state.restarts += numberAt(container, 'restartCount')
  const ended = textAt(container, 'lastState.terminated.finishedAt')
  if (ended > state.lastRestart) state.lastRestart = ended
}

function statesOf({ state }: Fields): { waiting?: Fields; running?: Fields; terminated?: Fields } {
  const { waiting, running, terminated } = fieldsOf(state)
  return {
    ...(isObject(waiting) && { waiting }),
    ...(isObject(running) && { running }),
    ...(isObject(terminated) && { terminated }),
  }
}

function endOf(terminated: Fields): string {
  const signal = numberAt(terminated, 'signal')
  const how = signal === 0 ? `ExitCode:${numberAt(terminated, 'exitCode')}` : `Signal:${signal}`
  return textOf(terminated.reason) || how
}

function readinessGates(pod: KubeObject): string {
  const gates = listOf(valueAt(pod, 'spec.readinessGates')).map(fieldsOf)
  if (gates.length === 0) return NONE
  const open = gates.filter(({ conditionType }) => hasCondition(fieldsOf(pod.status), conditionType))
  return `${open.length}/${gates.length}`
}

function conditionsOf(status: Fields): Fields[] {
  return listOf(status.conditions).map(fieldsOf)
}

function hasCondition(status: Fields, type: unknown): boolean {
  return conditionsOf(status).find((condition) => condition.type === type)?.status === 'True'
}
