// The Pods of an Application, and what can be told from those that exist. Pure.

import type { ApplicationContext } from './schemas.ts'

/** The labels that find an Application's Pods. */
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

/** Why a container does not run, as Pods say it. */
export interface Trouble {
  readonly reason: string
  readonly message: string
}

/** Waiting for these is no trouble: they end by themselves. */
const STARTING = new Set(['ContainerCreating', 'PodInitializing'])

/** The first container that crashes again and again, cannot be started or has failed, in the words of its Pod. */
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

/** Words to add to a message when nothing really runs. */
export function simulationNote(pods: readonly Reported[]): string {
  const simulated = pods.some(({ status }) =>
    status?.conditions?.some((one) => one.type === 'homeostat.dev/Simulated' && one.status === 'True'),
  )
  return simulated ? ' (simulated: no program was started)' : ''
}
