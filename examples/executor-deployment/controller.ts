// `-mode controller`: reconciles the ExecutorDeployments of one colony until the signal ends it.

import { join } from 'node:path'
import { ownCommand, ownCommandEnv } from '@homeostat/cli'
import type { Client } from '@homeostat/client'
import { CONTROLLER_TYPE, deploymentController } from '@homeostat/executor-deployment'
import type { Settings } from './settings.ts'

export interface ControllerParts {
  readonly client: Client
  readonly settings: Settings
  /** The folder of local executors, one per colony. */
  readonly directory: string
  readonly allowCommands: boolean
  readonly signal: AbortSignal
  say(line: string): void
}

export async function control(parts: ControllerParts): Promise<void> {
  const { client, settings, directory, allowCommands, signal, say } = parts
  const name = settings.executorName ?? CONTROLLER_TYPE
  say('Starting controller:')
  say(`  Colony: ${settings.colony}`)
  say(`  Executor Name: ${name}`)
  say(`  Executor Type: ${CONTROLLER_TYPE}`)
  // Waiting processes may start before all is ready; their lines are printed after the greeting.
  const early: string[] = []
  let isGreeted = false
  const controller = deploymentController({
    client,
    colony: settings.colony,
    name,
    server: settings.server,
    directory: join(directory, settings.colony),
    executorCommand: [...ownCommand, 'executor', 'run'],
    localEnv: ownCommandEnv(),
    allowCommands,
    signal,
    say: (line) => (isGreeted ? say(line) : void early.push(line)),
  })
  await controller.ready
  for (const line of ['Controller is running. Press Ctrl+C to stop.', ...early]) say(line)
  isGreeted = true
  await controller.done
  say('Controller stopped')
}
