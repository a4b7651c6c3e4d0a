// `homeostat demo`: runs a control plane and a controller in this process and shows the life of a resource whose executors
// are processes of their own. It cleans up everything, also when it is interrupted.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DeploymentController, deploymentController } from '@homeostat/executor-deployment'
import { openProcessRuntime, type Runtime } from '@homeostat/runtimes'
import { startReaper } from '@homeostat/runtimes/reaper'
import { startDemoControlPlane } from '../demo/control-plane.ts'
import { COLONY } from '../demo/documents.ts'
import { narratorOn } from '../demo/narrator.ts'
import { Stage } from '../demo/stage.ts'
import { steps } from '../demo/story.ts'
import { ownCommand, ownCommandEnv } from '../own-command.ts'
import type { Terminal } from '../terminal.ts'
import { noOperands } from './operands.ts'

/** The exit code that shells use for Ctrl+C. */
const INTERRUPTED = 130

export async function demo(operands: readonly string[], terminal: Terminal): Promise<number> {
  noOperands(operands)
  const started = performance.now()
  const ending = new AbortController()
  void terminal.ending?.().then(() => ending.abort())
  const directory = mkdtempSync(join(tmpdir(), 'homeostat-demo-'))
  try {
    await tell(directory, terminal, ending.signal)
  } catch (error) {
    if (!ending.signal.aborted) throw error
    terminal.error('\ninterrupted; everything was ended and removed\n')
    return INTERRUPTED
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  terminal.out(
    `\nDone in ${seconds} s; nothing is left behind. The same by hand: examples/executor-deployment/README.md\n`,
  )
  return 0
}

async function tell(directory: string, terminal: Terminal, signal: AbortSignal): Promise<void> {
  const plane = await startDemoControlPlane(directory)
  // Executors end with this process, also when it is killed.
  const reaper = startReaper()
  const executors = join(directory, 'executors')
  let controller: DeploymentController | undefined
  let runtime: Runtime | undefined
  try {
    terminal.out(`A control plane in this process: ${plane.url}, in memory\n`)
    const narrator = narratorOn(terminal)
    const story = {
      ...narrator,
      stage: new Stage(plane.client, signal),
      runtime: () => runtime,
      async startController() {
        controller = deploymentController({
          client: plane.client,
          colony: COLONY,
          server: plane.url,
          directory,
          executorCommand: [...ownCommand, 'executor', 'run'],
          localEnv: { ...ownCommandEnv(), ...reaper.env },
          say: narrator.quote,
          async openLocal() {
            runtime = await openProcessRuntime({ directory: executors })
            return runtime
          },
        })
        await controller.ready
      },
    }
    for (const step of steps) {
      signal.throwIfAborted()
      await step(story)
    }
  } finally {
    await controller?.close()
    // Executors end before the server does, because they sign off at the server.
    const left = await openProcessRuntime({ directory: executors })
    const units = await left.list({})
    await Promise.allSettled(units.map(({ id }) => left.stop(id, { graceSeconds: 2 })))
    await left.close()
    await reaper.close()
    await plane.close()
  }
}
