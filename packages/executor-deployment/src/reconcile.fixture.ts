// Reconciles one ExecutorDeployment on simulated runtimes and a real server, for tests.

import type { Duration } from '@homeostat/meta'
import { type Runtime, SimulatedRuntime } from '@homeostat/runtimes'
import type { TestEnv } from '@homeostat/testing'
import { onTestFinished } from 'vitest'
import type { ControllerPlace } from './controller-place.ts'
import type { DeploymentStatus } from './deployment-status.ts'
import { reconcileDeployment } from './reconcile.ts'
import { Targets } from './targets/targets.ts'

export interface Stage {
  readonly runtime: Runtime
  readonly docker: Runtime
  /** Names of running units, by runtime. */
  names(runtime?: Runtime): Promise<string[]>
  /** Writes this status as another client would. */
  send(status: DeploymentStatus): void
  /** One reconcile; returns the status it wrote, its lines, and its outcome. */
  run(spec: object, more?: { deleting?: boolean; signal?: AbortSignal }): Promise<Outcome>
}

interface Outcome {
  readonly status: DeploymentStatus | undefined
  readonly lines: string[]
  readonly error: Error | undefined
  readonly requeueAfter: Duration | undefined
}

export interface StageOptions {
  readonly allowCommands?: boolean
  readonly place?: ControllerPlace
  readonly settleMs?: number
  readonly dockerDown?: () => boolean
  readonly isOnline?: (name: string) => boolean
}

export async function openStage(
  env: TestEnv,
  { allowCommands = false, place, settleMs = 5, dockerDown = () => false, isOnline = () => true }: StageOptions = {},
): Promise<Stage> {
  const runtime = new SimulatedRuntime({ startDelayMs: 1 })
  const docker = new SimulatedRuntime({ startDelayMs: 1 })
  const targets = new Targets({
    client: env.client,
    directory: '/nowhere',
    executorCommand: ['homeostat', 'executor', 'run'],
    localEnv: { LANG: 'C' },
    server: 'http://127.0.0.1:3000',
    kubeconfig: undefined,
    settleMs,
    waitMs: 100,
    openLocal: async () => runtime,
    executorsOnline: async () => ({ has: (name) => isOnline(name) }),
    openDocker: async () => {
      if (dockerDown()) throw new Error('Docker does not answer')
      return docker
    },
  })
  onTestFinished(() => targets.close())
  let status: DeploymentStatus = {}
  let generation = 0
  return {
    runtime,
    docker,
    names: async (of = runtime) =>
      (await of.list({}))
        .filter(({ phase }) => phase !== 'exited')
        .map(({ name }) => name.replace('ml-a1b2c3d4-', ''))
        .sort(),
    send: (written) => {
      status = written
    },
    async run(spec, { deleting = false, signal = new AbortController().signal } = {}) {
      generation++
      const lines: string[] = []
      const sent: { status?: DeploymentStatus; requeueAfter?: Duration } = {}
      const metadata = { name: 'ml', namespace: 'dev', uid: 'a1b2c3d4-0000', generation }
      const kwargs = {
        kind: 'ExecutorDeployment',
        metadata: { ...metadata, ...(deleting && { deletionTimestamp: '2026-01-01T00:00:00Z' }) },
        spec,
        status,
      }
      const context = {
        kwargs,
        signal,
        log: () => {},
        status: (fields: object) => {
          sent.status = fields
        },
        requeueAfter: (after: Duration) => {
          sent.requeueAfter = after
        },
      }
      const now = () => Date.parse('2026-01-01T00:00:00Z') + generation * 1000
      const run = {
        targets,
        ...(place && { place }),
        allowCommands,
        server: 'http://127.0.0.1:3000',
        say: (line: string) => void lines.push(line),
        now,
      }
      const error = await reconcileDeployment(context, run).then(
        () => undefined,
        (thrown: Error) => thrown,
      )
      status = sent.status ?? status
      return { lines, error, status: sent.status, requeueAfter: sent.requeueAfter }
    },
  }
}
