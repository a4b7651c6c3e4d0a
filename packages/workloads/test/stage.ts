// A control plane with workloads on it, for the tests of this package.

import type { EventSink, ObjectRef, Running } from '@homeostat/operator'
import { type Runtime, SimulatedRuntime } from '@homeostat/runtimes'
import { type TestEnv, type TestEnvOptions, testEnv } from '@homeostat/testing'
import { onTestFinished } from 'vitest'
import { workloadsAccess } from '../src/access.ts'
import { workloads } from '../src/index.ts'
import type { Container, Deployment, Pod, PodSpec, ReplicaSet } from '../src/kinds.ts'
import type { Machine } from '../src/node/runtime-node.ts'

export interface Stage {
  readonly env: TestEnv
  readonly running: Running
  /** What was told in events, as `Reason: message`. */
  readonly events: string[]
  deployment(name: string): ObjectRef
  pod(name: string): ObjectRef
  pods(): Promise<Pod[]>
  sets(): Promise<ReplicaSet[]>
  /** Waits until the deployment says that its rollout is complete. */
  rolledOut(name: string): Promise<Deployment>
}

export interface StageOptions extends TestEnvOptions {
  readonly runtimes?: (env: TestEnv) => readonly Runtime[]
  /** What nodes say of the machine. */
  readonly machine?: Machine
}

export async function stage(options: StageOptions = {}): Promise<Stage> {
  const env = await testEnv({ access: workloadsAccess, ...options })
  const runtimes = options.runtimes?.(env) ?? [new SimulatedRuntime({ clock: env.clock, startDelayMs: 0 })]
  onTestFinished(async () => {
    await env.close()
    for (const runtime of runtimes) await runtime.close()
  })
  const events: string[] = []
  const sink: EventSink = {
    record: (_, { reason, message }) => void events.push(`${reason}: ${message}`),
    close: async () => {},
  }
  const { machine } = options
  const all = workloads({ runtimes, defaultRuntime: runtimes[0]?.name ?? '', ...(machine && { machine }) })
  const running = env.run(all, { name: 'workloads', events: sink })
  await running.ready
  const deployment = (name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', name, namespace: 'default' })
  return {
    env,
    running,
    events,
    deployment,
    pod: (name) => ({ apiVersion: 'v1', kind: 'Pod', name, namespace: 'default' }),
    pods: async () => (await env.client.resourceOf<Pod>('v1', 'Pod').list({ namespace: 'default' })).items,
    sets: async () =>
      (await env.client.resourceOf<ReplicaSet>('apps/v1', 'ReplicaSet').list({ namespace: 'default' })).items,
    rolledOut: (name) => env.until<Deployment>(deployment(name), isRolledOut),
  }
}

export function isRolledOut({ metadata, spec, status = {} }: Deployment): boolean {
  const wanted = spec?.replicas ?? 1
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0 } = status
  const isSeen = (status.observedGeneration ?? 0) >= (metadata.generation ?? 0)
  return isSeen && [updatedReplicas, replicas, availableReplicas].every((count) => count === wanted)
}

export function web(
  replicas: number,
  spec: Partial<Deployment['spec']> = {},
  container: Partial<Container> = {},
  pod: Partial<PodSpec> = {},
) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'main', image: 'web:1', ...container }], ...pod },
      },
      ...spec,
    },
  }
}

export function podManifest(name: string, container: Partial<Container>, spec: Partial<PodSpec> = {}) {
  const containers = [{ name: 'main', image: 'web:1', ...container }]
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default' }, spec: { containers, ...spec } }
}

/** What a simulated container does. */
export function told(directive: string): Partial<Container> {
  return { env: [{ name: 'HOMEOSTAT_SIMULATE', value: directive }] }
}
