// The controllers of the kinds: executors of the types that the definitions name as handlers. They keep nothing in memory, so
// that any number of them may run, anywhere.

import { join } from 'node:path'
import type { Log } from '@homeostat/base'
import type { Client } from '@homeostat/client'
import { type ExecutorFunction, executor } from '@homeostat/executor'
import { openDockerRuntime, openProcessRuntime, type Runtime } from '@homeostat/runtimes'
import { BatchRuntime, type BatchSystem } from '@homeostat/runtimes/batch'
import type { DatabaseRuntime } from './database/database-plan.ts'
import { OwnServer, prepareDirectory } from './database/own-server.ts'
import { type DatabaseOptions, reconcileDatabase } from './database/reconcile-database.ts'
import { invokeFunction } from './serverless/invoke-function.ts'
import { reconcileFunction } from './serverless/reconcile-function.ts'
import { deployModel, reconcileWebService, reconcileWorkerPool } from './services/reconcile-services.ts'
import { reconcileSlurmJob } from './slurm-job/reconcile-slurm-job.ts'
import { executeWorkflow } from './workflow/execute-workflow.ts'

export interface ControllerOptions {
  readonly client: Client
  readonly colony: string
  readonly log?: Log
  /** Where jobs of the batch system are kept: a folder that its nodes share. */
  readonly directory: string
  readonly batch: BatchSystem
  /** Where Databases with a server of their own have it. */
  readonly databases: {
    readonly directory: string
    readonly runtime: DatabaseRuntime
    readonly docker?: () => Promise<Runtime>
  }
  /** Hosts that ServerlessFunctions may call, with a port where it is not that of the scheme. */
  readonly serverlessHosts: readonly string[]
}

export function startControllers(options: ControllerOptions): Controllers {
  const { client, colony, log, directory, batch, serverlessHosts } = options
  const jobs = new BatchRuntime({ system: batch, directory: join(directory, batch.name) })
  const databases = databaseServers(options)
  const types: Record<string, Record<string, ExecutorFunction>> = {
    'workflow-controller': { execute_workflow: executeWorkflow },
    'hpc-operator': { reconcile_slurm_job: reconcileSlurmJob(jobs) },
    'database-controller': { reconcile_database: reconcileDatabase(databases) },
    serverless: { invoke: invokeFunction(serverlessHosts) },
    'serverless-controller': { reconcile_serverless_function: reconcileFunction(serverlessHosts) },
    'ml-operator': { deploy_ml_model: deployModel },
    'service-controller': { reconcile_web_service: reconcileWebService, reconcile_worker_pool: reconcileWorkerPool },
  }
  const executors = Object.entries(types).map(([type, functions]) =>
    executor({ client, colony, type, functions, concurrency: 4, ...(log && { log }) }),
  )
  return {
    ready: Promise.all(executors.map(({ ready }) => ready)).then(() => {}),
    done: Promise.all(executors.map(({ done }) => done)).then(() => {}),
    async close() {
      await Promise.all(executors.map((one) => one.close()))
      await databases.close()
    },
  }
}

export interface Controllers {
  readonly ready: Promise<void>
  readonly done: Promise<void>
  /** What they started keeps running. Safe to call twice. */
  close(): Promise<void>
}

/** Opens each runtime when a Database first needs it. */
function databaseServers({
  databases: { directory, runtime, docker },
}: ControllerOptions): DatabaseOptions & { close(): Promise<void> } {
  const opened = new Map<DatabaseRuntime, Promise<Runtime>>()
  const open = (name: DatabaseRuntime): Promise<Runtime> => {
    if (name === 'docker') return (docker ?? (() => openDockerRuntime({ owner: 'colony-kinds' })))()
    prepareDirectory(directory)
    return openProcessRuntime({ directory: join(directory, 'units') })
  }
  return {
    defaultRuntime: runtime,
    async open(name) {
      let opening = opened.get(name)
      if (opening === undefined) {
        opening = open(name)
        opened.set(name, opening)
        // The next reconcile tries again.
        opening.catch(() => opened.delete(name))
      }
      return new OwnServer({ runtime: await opening, directory: join(directory, name) })
    },
    async close() {
      for (const one of await Promise.allSettled(opened.values()))
        if (one.status === 'fulfilled') await one.value.close()
      opened.clear()
    },
  }
}
