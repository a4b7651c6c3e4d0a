// The small process that keeps one unit, in a session of its own: it starts the program, writes down what it prints and
// how it ends, and then ends itself with whatever the program left behind. The driver starts it and may be gone long before.
// Signals to stop go to the whole group; the keeper stays until the program has ended.

import { spawn } from 'node:child_process'
import { closeSync, writeSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { constants } from 'node:os'
import { join } from 'node:path'
import { LogWriter } from './log-writer.ts'
import { identityOf, type ProcessIdentity } from './process-identity.ts'
import { cookieOf, STARTED_BY } from './started-by.ts'
import { type ExitFile, FILES, readUnitFile, type UnitFile, writeUnitFile } from './unit-folder.ts'

/** The pipe to the driver, if it still is there. */
const DRIVER = 3
/** How long output may still arrive after the program has ended: others may hold its pipe open for good. */
const LAST_OUTPUT_MS = 250

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const) process.on(signal, () => {})

await keep(process.argv[2] ?? '')

async function keep(folder: string): Promise<void> {
  try {
    await rename(join(folder, FILES.go), join(folder, FILES.going))
  } catch {
    return
  }
  const unit = await readUnitFile<UnitFile>(folder, FILES.unit)
  const own = identityOf(process.pid)
  if (!unit || !own) return
  await writeUnitFile(folder, FILES.keeper, own)
  try {
    const exit = await run(folder, unit, own)
    await writeUnitFile(folder, FILES.exit, exit)
    if (exit.neverRan) tell({ refused: exit.message })
  } finally {
    // The unit is over whatever went wrong here, such as a full disk: nothing of it may go on unseen.
    process.kill(-process.pid, 'SIGKILL')
  }
}

async function run(folder: string, unit: UnitFile, own: ProcessIdentity): Promise<ExitFile> {
  const log = new LogWriter(folder, unit.logLimitBytes)
  const [program = '', ...args] = unit.command
  const child = spawn(program, args, {
    cwd: unit.workingDir,
    // Whoever named a reaper of its own for the unit has it found by that.
    env: { [STARTED_BY]: cookieOf(own), ...unit.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (chunk: Buffer) => log.write(stream, chunk, Date.now()))
  }
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const ended = new Promise<{ code: number; at: number }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code: code ?? 128 + signalNumber(signal), at: Date.now() }))
  })
  const refused = await new Promise<Error | undefined>((resolve) => {
    child.once('spawn', () => resolve(undefined))
    child.once('error', resolve)
  })
  const startedAt = Date.now()
  if (refused) {
    const message = `cannot start ${program} in ${unit.workingDir}: ${refused.message}`
    return { finishedAt: startedAt, exitCode: 127, reason: 'StartError', message, neverRan: true }
  }
  // A program that has ended already has no identity any more; then there is nothing to find again either.
  const identity = identityOf(child.pid ?? 0) ?? { pid: child.pid ?? 0, started: '', boot: '' }
  await writeUnitFile(folder, FILES.program, { ...identity, startedAt })
  tell({ started: true })
  // For the next keeper: this one ends by a signal, which keeps nothing.
  flushCompileCache()
  const { code, at } = await ended
  await Promise.race([closed, new Promise<void>((resolve) => setTimeout(resolve, LAST_OUTPUT_MS))])
  log.end(Date.now())
  return { finishedAt: at, exitCode: code, reason: code === 0 ? 'Completed' : 'Error' }
}

function signalNumber(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : constants.signals[signal]
}

function tell(news: object): void {
  try {
    writeSync(DRIVER, `${JSON.stringify(news)}\n`)
    closeSync(DRIVER)
  } catch {
    // The driver is gone; whoever comes next reads it from the folder.
  }
}
