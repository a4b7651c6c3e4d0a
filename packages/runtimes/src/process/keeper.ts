// The keeper: a small process in a session of its own that starts the program of one unit, writes its output and its exit
// code to disk, and then ends the whole process group. The driver starts it and may end long before.
// Stop signals go to the whole group; the keeper ignores them until the program has ended.

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

/** The pipe to the driver, if the driver still runs. */
const DRIVER = 3
/** How long the keeper reads output after the program has ended: a child of the program may keep the pipe open forever. */
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
    // Also after an error such as a full disk: no part of the unit may go on unobserved.
    process.kill(-process.pid, 'SIGKILL')
  }
}

async function run(folder: string, unit: UnitFile, own: ProcessIdentity): Promise<ExitFile> {
  const log = new LogWriter(folder, unit.logLimitBytes)
  const [program = '', ...args] = unit.command
  const child = spawn(program, args, {
    cwd: unit.workingDir,
    // A cookie in the unit's own environment takes precedence: the caller's reaper finds the program by it.
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
  // A program that has ended already has no identity, and nothing needs to find it again.
  const identity = identityOf(child.pid ?? 0) ?? { pid: child.pid ?? 0, started: '', boot: '' }
  await writeUnitFile(folder, FILES.program, { ...identity, startedAt })
  tell({ started: true })
  // For the next keeper: this one ends by a signal, and Node then writes no compile cache.
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
    // The driver has ended; the next one reads the folder.
  }
}
