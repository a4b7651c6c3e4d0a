// The controllers of the kinds: executors of the types that the definitions name as handlers. They keep nothing in memory, so
// that any number of them may run, anywhere.

import { join } from 'node:path'
import type { Log } from '@homeostat/base'
import type { Client } from '@homeostat/client'
import { type ExecutorFunction, executor, type RunningExecutor } from '@homeostat/executor'
import { BatchRuntime, type BatchSystem } from '@homeostat/runtimes/batch'
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
}

export function startControllers({ client, colony, log, directory, batch }: ControllerOptions): RunningExecutor[] {
  const jobs = new BatchRuntime({ system: batch, directory: join(directory, batch.name) })
  const types: Record<string, Record<string, ExecutorFunction>> = {
    'workflow-controller': { execute_workflow: executeWorkflow },
    'hpc-operator': { reconcile_slurm_job: reconcileSlurmJob(jobs) },
    'ml-operator': { deploy_ml_model: deployModel },
    'service-controller': { reconcile_web_service: reconcileWebService, reconcile_worker_pool: reconcileWorkerPool },
  }
  return Object.entries(types).map(([type, functions]) =>
    executor({ client, colony, type, functions, concurrency: 4, ...(log && { log }) }),
  )
}
