// Maps units of a runtime to containers of pods by name and labels alone, so that a server finds them again after a crash.
// Pure.

import type { UnitState } from '@homeostat/runtimes'
import type { Pod } from '../kinds.ts'

export const POD_UID = 'homeostat.dev/pod-uid'
const NAMESPACE = 'homeostat.dev/namespace'
const POD = 'homeostat.dev/pod'
const CONTAINER = 'homeostat.dev/container'
const ATTEMPT = 'homeostat.dev/attempt'
/** Separates units of pods from other units on the same runtime. */
export const OF_PODS = { 'homeostat.dev/part-of': 'pods' } as const

export function unitName(pod: Pod, container: string, attempt: number): string {
  return `${pod.metadata.uid}_${container}_${attempt}`
}

export function unitLabels(pod: Pod, container: string, attempt: number): Record<string, string> {
  const { uid = '', namespace = '', name = '' } = pod.metadata
  return {
    ...OF_PODS,
    [POD_UID]: uid,
    [NAMESPACE]: namespace,
    [POD]: name,
    [CONTAINER]: container,
    [ATTEMPT]: String(attempt),
  }
}

type Labelled = Pick<UnitState, 'labels'>

export function attemptOf({ labels }: Labelled): number {
  return Number(labels[ATTEMPT] ?? 0)
}

export function podOf({ labels }: Labelled): { namespace: string; name: string; uid: string; container: string } {
  return {
    namespace: labels[NAMESPACE] ?? '',
    name: labels[POD] ?? '',
    uid: labels[POD_UID] ?? '',
    container: labels[CONTAINER] ?? '',
  }
}

/** The units of one container, the newest attempt first. */
export function unitsOf(units: readonly UnitState[], container: string): UnitState[] {
  return units.filter(({ labels }) => labels[CONTAINER] === container).sort((a, b) => attemptOf(b) - attemptOf(a))
}
