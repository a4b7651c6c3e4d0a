// Builds the unit of a container for a runtime. Pure. A field that the runtime does not support is an error: a container
// must not run without something that its spec requires.

import type { Unit } from '@homeostat/runtimes'
import type { Container, Pod } from '../kinds.ts'
import { expand } from './expand.ts'
import type { PodAccess } from './pod-accounts.ts'
import { unitLabels, unitName } from './unit-name.ts'

export function containerUnit(
  pod: Pod,
  container: Container,
  attempt: number,
  env: Readonly<Record<string, string>>,
  runtime: { readonly simulated: boolean },
): Unit {
  const { name, image, imagePullPolicy, command, args, workingDir, readinessProbe } = container
  if (readinessProbe?.grpc !== undefined && !runtime.simulated) {
    throw new Error('a readinessProbe by grpc is not supported here: use exec, tcpSocket or httpGet')
  }
  return {
    name: unitName(pod, name, attempt),
    labels: unitLabels(pod, name, attempt),
    env,
    graceSeconds: graceOf(pod),
    ...(endsByItself(pod, container) && { endsByItself: true }),
    ...(image && { image }),
    ...(imagePullPolicy && { pullPolicy: imagePullPolicy }),
    ...(pod.spec?.hostNetwork === true && { hostNetwork: true }),
    ...(command && { command: command.map((part) => expand(part, env)) }),
    ...(args && { args: args.map((part) => expand(part, env)) }),
    ...(workingDir && { workingDir }),
    // A simulated unit never reads a mount.
    ...(!runtime.simulated && { mounts: mountsOf(pod, container) }),
  }
}

/** A container that mounts something else at the place of the token keeps that. */
export function withAccess(unit: Unit, access: PodAccess | undefined): Unit {
  if (access === undefined) return unit
  const own = unit.mounts ?? []
  const more = access.mounts.filter(({ target }) => !own.some((mount) => mount.target === target))
  return { ...unit, mounts: [...own, ...more], ...(access.reachesHost && { reachesHost: true }) }
}

/** The grace period in seconds; runtimes count it in 32 bits. */
export function graceOf({ spec }: Pod): number {
  return Math.min(Number(spec?.terminationGracePeriodSeconds ?? 30), 2 ** 31 - 1)
}

/** True for init containers, and for containers that are not restarted after success. */
function endsByItself({ spec = {} }: Pod, { name, restartPolicy }: Container): boolean {
  if (restartPolicy === 'Always') return false
  const isInit = spec.initContainers?.some((one) => one.name === name) ?? false
  return isInit || spec.restartPolicy === 'Never' || spec.restartPolicy === 'OnFailure'
}

function mountsOf({ spec }: Pod, { volumeMounts = [] }: Container): NonNullable<Unit['mounts']>[number][] {
  return volumeMounts.map(({ name, mountPath, readOnly, subPath }) => {
    const volume = spec?.volumes?.find((one) => one.name === name)
    const kind = Object.keys(volume ?? {}).find((key) => key !== 'name') ?? 'no kind'
    if (!volume?.hostPath || subPath) {
      throw new Error(`volume ${name} (${subPath ? 'subPath' : kind}) is not supported here: only hostPath volumes are`)
    }
    return { source: volume.hostPath.path, target: mountPath, ...(readOnly !== undefined && { readOnly }) }
  })
}
