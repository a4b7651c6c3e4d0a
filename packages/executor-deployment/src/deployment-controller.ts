// The controller of ExecutorDeployments: an ordinary executor of each type that definitions name as their handler.
// It can stop and start at any time; the executors it started keep running and are found again.

import type { Log } from '@homeostat/base'
import { stderrLog } from '@homeostat/base/stderr-log'
import type { Client } from '@homeostat/client'
import {
  executor,
  isExecutorEndedError,
  type Process,
  type ProcessContext,
  type RunningExecutor,
} from '@homeostat/executor'
import type { Runtime } from '@homeostat/runtimes'
import { controllerName } from './controller-place.ts'
import { claimPlace, placeCapabilities } from './place-claim.ts'
import { reconcileDeployment } from './reconcile.ts'
import { RUNTIMES, type RuntimeName } from './spec/deployment-spec.ts'
import type { Names } from './targets/target.ts'
import { Targets } from './targets/targets.ts'

export interface DeploymentControllerOptions {
  readonly client: Client
  /** The namespace whose resources it reconciles. */
  readonly colony: string
  /** Default `executor-deployment-controller`, with the location and the runtimes behind it if they are given. */
  readonly name?: string
  /** Where it is; it takes resources whose `spec.location` is this, or that name none. Each machine needs one of its own. */
  readonly location?: string
  /** What it can start executors with. Default: all. */
  readonly runtimes?: readonly RuntimeName[]
  /** The folder of local executors. One controller at a time can use it. */
  readonly directory: string
  /** The command line of a local executor, `homeostat executor run`, without its arguments. */
  readonly executorCommand: readonly string[]
  /** Environment variables of every local executor. */
  readonly localEnv?: Readonly<Record<string, string>>
  /** The URL of the server for the executors. With https each of them gets an account, and a credential that is renewed. */
  readonly server?: string
  /** The private parent folder of those credentials. Default: `directory` with `.credentials` at its end. */
  readonly credentials?: string
  /** Whether `config.command` of local ones and `config.kubeconfig` are honoured: both run programs of this machine. Default false. */
  readonly allowCommands?: boolean
  /** The cluster of resources for `kubernetes` that name none. Default: the colony's own server. */
  readonly kubeconfig?: string
  /** Called with one line for each action. */
  readonly say?: (line: string) => void
  readonly signal?: AbortSignal
  /** Default: lines on stderr, warnings and errors unless HOMEOSTAT_LOG_LEVEL says more. */
  readonly log?: Log
  /** How long a started executor must run to count as running. Default 500. */
  readonly settleMs?: number
  /** How long one reconcile waits for the pods of a cluster, or for executors to come online. Default 20,000. */
  readonly waitMs?: number
  /** Replace the runtimes for processes and Docker, for tests. */
  readonly openLocal?: (() => Promise<Runtime>) | undefined
  readonly openDocker?: () => Promise<Runtime>
  /** Replaces the list of online executors, for tests. */
  readonly executorsOnline?: (namespace: string) => Promise<Names>
  readonly now?: () => number
}

export interface DeploymentController {
  /** The names of its own executors. */
  readonly names: readonly string[]
  /** Resolves when its executors are registered. */
  readonly ready: Promise<void>
  readonly done: Promise<void>
  /** Waits for reconciles that run. Safe to call twice; deployed executors keep running. */
  close(): Promise<void>
}

export const CONTROLLER_TYPE = 'executor-deployment-controller'

/** Executor type and function of the handlers that definitions of ExecutorDeployment name. */
const HANDLERS = [
  { type: CONTROLLER_TYPE, functionName: 'reconcile_executor_deployment', suffix: '', needs: undefined },
  { type: 'docker-reconciler', functionName: 'reconcile', suffix: '-docker-reconciler', needs: 'docker' },
] as const

/** Concurrent reconciles. */
const CONCURRENCY = 4

export function deploymentController(options: DeploymentControllerOptions): DeploymentController {
  const {
    client,
    colony,
    location,
    runtimes = RUNTIMES,
    say = () => {},
    now = Date.now,
    allowCommands = false,
  } = options
  const place = { location, runtimes }
  const { name = controllerName(CONTROLLER_TYPE, place) } = options
  const targets = new Targets({
    client,
    directory: options.directory,
    executorCommand: options.executorCommand,
    localEnv: options.localEnv ?? {},
    server: options.server,
    kubeconfig: options.kubeconfig,
    credentials: options.credentials,
    log: options.log,
    settleMs: options.settleMs ?? 500,
    waitMs: options.waitMs ?? 20_000,
    openLocal: options.openLocal,
    openDocker: options.openDocker,
    executorsOnline: options.executorsOnline,
  })
  const reconcile = (context: ProcessContext) =>
    reconcileDeployment(context, { targets, place, allowCommands, server: options.server, say, now })
  const onAssigned = ({ metadata, spec }: Process) => say(`Assigned process: ${metadata.name} (label: ${spec.label})`)
  const handlers = HANDLERS.filter(({ needs }) => needs === undefined || runtimes.includes(needs))
  const names = handlers.map(({ suffix }) => `${name}${suffix}`)
  const start = ({ type, functionName, suffix }: (typeof HANDLERS)[number]) =>
    executor({
      type,
      name: `${name}${suffix}`,
      colony,
      client,
      functions: { [functionName]: reconcile },
      concurrency: CONCURRENCY,
      onAssigned,
      ...(location !== undefined && { location }),
      capabilities: placeCapabilities(place),
      ...(options.signal && { signal: options.signal }),
      // It says itself when it runs.
      log: options.log ?? stderrLog({ HOMEOSTAT_LOG_LEVEL: 'warn', ...process.env }),
    })
  // Before the registration: a controller that cannot work must not take processes.
  const starting = (runtimes.includes('local') ? targets.claim() : Promise.resolve())
    .then(() => claimPlace(client, { colony, place, names }))
    .then(() => handlers.map(start))
  const ended = starting.then(untilOneEnds).catch(async (error: unknown) => {
    // Its resources were deleted without a reconcile for each, so their units are still running.
    if (isExecutorEndedError(error) && error.reason === 'ColonyDeleted') await targets.endAll(colony, say)
    throw error
  })
  const done = ended.finally(() => targets.close())
  const ready = starting.then((executors) => Promise.all(executors.map((one) => one.ready))).then(() => {})
  for (const promise of [ready, done]) promise.catch(() => {})
  const close = async () => {
    await starting.then(closeAll, () => {})
    // `done` rejects with the error.
    await done.catch(() => {})
  }
  return { names, ready, done, close }
}

/** If one executor ends, the other ends too: alone it would silently skip half of the resources. */
async function untilOneEnds(executors: readonly RunningExecutor[]): Promise<void> {
  const ends = await Promise.allSettled(executors.map((one) => one.done.finally(() => closeAll(executors))))
  const failed = ends.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

async function closeAll(executors: readonly RunningExecutor[]): Promise<void> {
  await Promise.all(executors.map((one) => one.close()))
}
