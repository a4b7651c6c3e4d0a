// The controller of ExecutorDeployments: an executor like any other, of each type that definitions name as its handler.
// It may be ended and started at any time; what it started goes on and is found again.

import type { Log } from '@homeostat/base'
import type { Client } from '@homeostat/client'
import {
  ExecutorEndedError,
  executor,
  type Process,
  type ProcessContext,
  type RunningExecutor,
} from '@homeostat/executor'
import type { Runtime } from '@homeostat/runtimes'
import { reconcileDeployment } from './reconcile.ts'
import type { Names } from './targets/target.ts'
import { Targets } from './targets/targets.ts'

export interface DeploymentControllerOptions {
  readonly client: Client
  /** The namespace whose resources it looks after. */
  readonly colony: string
  /** Default `executor-deployment-controller`. */
  readonly name?: string
  /** Where local executors are kept. One controller at a time can work on a folder. */
  readonly directory: string
  /** What runs a local executor: `homeostat executor run` as a command line, without its arguments. */
  readonly executorCommand: readonly string[]
  /** Variables of every local executor. */
  readonly localEnv?: Readonly<Record<string, string>>
  /** The URL by which executors find the server. */
  readonly server?: string
  /** Whether `config.command` of local ones and `config.kubeconfig` are honoured: both run programs of this machine. Default false. */
  readonly allowCommands?: boolean
  /** The cluster of resources for `kubernetes` that name none. Default: the colony's own server. */
  readonly kubeconfig?: string
  /** One line of what it does. */
  readonly say?: (line: string) => void
  readonly signal?: AbortSignal
  readonly log?: Log
  /** An executor that was started has to last so long to count. Default 500. */
  readonly settleMs?: number
  /** How long one run waits for the pods of a cluster, or for executors to come online. Default 20,000. */
  readonly waitMs?: number
  /** Instead of processes of this machine and its Docker engine. */
  readonly openLocal?: (() => Promise<Runtime>) | undefined
  readonly openDocker?: () => Promise<Runtime>
  /** Instead of asking the colony which executors it hears of. */
  readonly executorsOnline?: (namespace: string) => Promise<Names>
  readonly now?: () => number
}

export interface DeploymentController {
  /** Of the executors that it is. */
  readonly names: readonly string[]
  /** The server knows them. */
  readonly ready: Promise<void>
  readonly done: Promise<void>
  /** Lets runs under way end. Safe to call twice; executors that were deployed go on. */
  close(): Promise<void>
}

export const CONTROLLER_TYPE = 'executor-deployment-controller'

/** Executor type and function of the handlers that definitions of ExecutorDeployment name. */
const HANDLERS = [
  { type: CONTROLLER_TYPE, functionName: 'reconcile_executor_deployment', suffix: '' },
  { type: 'docker-reconciler', functionName: 'reconcile', suffix: '-docker-reconciler' },
] as const

/** Resources that are looked after at the same time. */
const CONCURRENCY = 4

export function deploymentController(options: DeploymentControllerOptions): DeploymentController {
  const { client, colony, name = CONTROLLER_TYPE, say = () => {}, now = Date.now, allowCommands = false } = options
  const targets = new Targets({
    client,
    directory: options.directory,
    executorCommand: options.executorCommand,
    localEnv: options.localEnv ?? {},
    server: options.server,
    kubeconfig: options.kubeconfig,
    settleMs: options.settleMs ?? 500,
    waitMs: options.waitMs ?? 20_000,
    openLocal: options.openLocal,
    openDocker: options.openDocker,
    executorsOnline: options.executorsOnline,
  })
  const reconcile = (context: ProcessContext) =>
    reconcileDeployment(context, { targets, allowCommands, server: options.server, say, now })
  const onAssigned = ({ metadata, spec }: Process) => say(`Assigned process: ${metadata.name} (label: ${spec.label})`)
  const names = HANDLERS.map(({ suffix }) => `${name}${suffix}`)
  const start = ({ type, functionName, suffix }: (typeof HANDLERS)[number]) =>
    executor({
      type,
      name: `${name}${suffix}`,
      colony,
      client,
      functions: { [functionName]: reconcile },
      concurrency: CONCURRENCY,
      onAssigned,
      ...(options.signal && { signal: options.signal }),
      ...(options.log && { log: options.log }),
    })
  // Before the queue knows it: whoever cannot do the work must not take it.
  const starting = targets.claim().then(() => HANDLERS.map(start))
  const ended = starting.then(untilOneEnds).catch(async (error: unknown) => {
    // Its resources went without a run for each: what they had runs for nobody.
    if (error instanceof ExecutorEndedError && error.reason === 'ColonyDeleted') await targets.endAll(colony, say)
    throw error
  })
  const done = ended.finally(() => targets.close())
  const ready = starting.then((executors) => Promise.all(executors.map((one) => one.ready))).then(() => {})
  for (const promise of [ready, done]) promise.catch(() => {})
  const close = async () => {
    await starting.then(closeAll, () => {})
    // Who waits for its end hears of it by `done`.
    await done.catch(() => {})
  }
  return { names, ready, done, close }
}

/** One without the other would leave half of the resources alone, unseen. */
async function untilOneEnds(executors: readonly RunningExecutor[]): Promise<void> {
  const ends = await Promise.allSettled(executors.map((one) => one.done.finally(() => closeAll(executors))))
  const failed = ends.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

async function closeAll(executors: readonly RunningExecutor[]): Promise<void> {
  await Promise.all(executors.map((one) => one.close()))
}
