// The Pods of an Application, and what can be told from those that exist. Pure.

import type { ApplicationContext } from './application.ts'

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
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] }
}

/** Words to add to a message when nothing really runs. */
export function simulationNote(pods: readonly Reported[]): string {
  const simulated = pods.some(({ status }) =>
    status?.conditions?.some((one) => one.type === 'homeostat.dev/Simulated' && one.status === 'True'),
  )
  return simulated ? ' (simulated: no program was started)' : ''
}
