// `-mode controller`: reconciles the ExecutorDeployments of one colony until the signal ends it.

import { join } from 'node:path'
import { ownCommand, ownCommandEnv } from '@homeostat/cli'
import type { Client } from '@homeostat/client'
import {
  CONTROLLER_TYPE,
  type ControllerPlace,
  controllerName,
  deploymentController,
  RUNTIMES,
} from '@homeostat/executor-deployment'
import type { Settings } from './settings.ts'

export interface ControllerParts {
  readonly client: Client
  readonly settings: Settings
  /** The folder of local executors, one per colony. */
  readonly directory: string
  readonly allowCommands: boolean
  /** Default: the only place there is. */
  readonly place?: ControllerPlace
  readonly signal: AbortSignal
  say(line: string): void
}

export async function control(parts: ControllerParts): Promise<void> {
  const { client, settings, directory, allowCommands, signal, say } = parts
  const { location, runtimes } = parts.place ?? { location: undefined, runtimes: RUNTIMES }
  const name = settings.executorName ?? controllerName(CONTROLLER_TYPE, { location, runtimes })
  say('Starting controller:')
  say(`  Colony: ${settings.colony}`)
  say(`  Executor Name: ${name}`)
  say(`  Executor Type: ${CONTROLLER_TYPE}`)
  if (location !== undefined) say(`  Location: ${location}`)
  if (runtimes.length < RUNTIMES.length) say(`  Runtimes: ${runtimes.join(', ')}`)
  // Waiting processes may start before all is ready; their lines are printed after the greeting.
  const early: string[] = []
  let isGreeted = false
  const controller = deploymentController({
    client,
    colony: settings.colony,
    name,
    runtimes,
    ...(location !== undefined && { location }),
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
