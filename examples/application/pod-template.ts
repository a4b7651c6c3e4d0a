// Builds the Pod spec of an Application, and finds trouble in the status of its Pods. Pure.

import type { ApplicationContext } from './schemas.ts'

/** The labels that select an Application's Pods. */
export function podLabels(name: string): Record<string, string> {
  return { 'cloudnative.elide.dev/application': name }
}

export function podSpec(name: string, { spec }: Pick<ApplicationContext, 'spec'>) {
  const { image, command, config = {}, runtimeClassName } = spec
  const env = Object.entries(config).map(([key, value]) => ({ name: key, value }))
  return {
    containers: [{ name, image, ...(command && { command }), ...(env.length > 0 && { env }) }],
    ...(runtimeClassName !== undefined && { runtimeClassName }),
  }
}

interface Reported {
  readonly metadata: { readonly name?: string }
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[]
    readonly containerStatuses?: readonly ContainerReport[]
  }
}

interface ContainerReport {
  readonly state?: { readonly waiting?: Said; readonly terminated?: Said & { readonly exitCode?: number } }
  readonly lastState?: { readonly terminated?: Said & { readonly exitCode?: number } }
}

interface Said {
  readonly reason?: string
  readonly message?: string
}

/** Why a container does not run, from a Pod's status. */
export interface Trouble {
  readonly reason: string
  readonly message: string
}

/** Normal reasons for waiting. */
const STARTING = new Set(['ContainerCreating', 'PodInitializing'])

/** The first container that is in a crash loop, cannot be started or has failed, with the reason and message of its Pod. */
export function podTrouble(pods: readonly Reported[]): Trouble | undefined {
  for (const { metadata, status } of pods) {
    for (const { state = {}, lastState } of status?.containerStatuses ?? []) {
      const { waiting, terminated: ended } = state
      const failed = ended !== undefined && ended.exitCode !== 0 ? ended : undefined
      const said = waiting?.reason !== undefined && !STARTING.has(waiting.reason) ? waiting : failed
      if (said === undefined) continue
      const { reason = 'Error', message } = said
      const exitCode = (failed ?? lastState?.terminated)?.exitCode
      const code = exitCode === undefined ? '' : ` (exit code ${exitCode})`
      return { reason, message: `Pod ${metadata.name}: ${reason}${message ? `: ${message}` : ''}${code}` }
    }
  }
  return undefined
}

/** The suffix of a message when the Pods are simulated. */
export function simulationNote(pods: readonly Reported[]): string {
  const simulated = pods.some(({ status }) =>
    status?.conditions?.some((one) => one.type === 'homeostat.dev/Simulated' && one.status === 'True'),
  )
  return simulated ? ' (simulated: no program was started)' : ''
}
