// One unit of the process driver: starts it, finds it again, observes and stops it. The truth is in the unit's folder and
// in the machine's process table; this class only reads them.

import { spawn } from 'node:child_process'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { UnitState } from '../runtime.ts'
import { isAlive, type ProcessIdentity } from './process-identity.ts'
import { cookieOf, endStartedBy } from './started-by.ts'
import {
  type ExitFile,
  FILES,
  type ProgramFile,
  readUnitFile,
  syncFolder,
  type UnitFile,
  writeUnitFile,
} from './unit-folder.ts'

/** Folders with this prefix are being removed. */
export const GONE = '.gone-'
const KEEPER = fileURLToPath(new URL('./keeper.ts', import.meta.url))
const LOOK_AGAIN_MS = 20
/**
 * A keeper that took the permission to start writes its identity within this many polls, or it is dead. Polls are counted
 * instead of time, since a suspended driver (SIGSTOP) cannot see what the keeper writes.
 */
const KEEPER_LOOKS = 250
/** How long to wait after SIGKILL; a process that is still alive then hangs in the kernel. */
const KILLED_MS = 10_000

export class ProcessUnit {
  readonly folder: string
  readonly graceSeconds: number
  #keeper: ProcessIdentity
  #state: UnitState
  /** Undefined for a keeper that another process started: its end has to be polled. */
  #ended: Promise<void> | undefined

  private constructor(folder: string, unit: UnitFile, keeper: ProcessIdentity, program: ProgramFile | undefined) {
    const { name, labels } = unit
    this.folder = folder
    this.graceSeconds = unit.graceSeconds
    this.#keeper = keeper
    this.#state = { id: name, name, labels, phase: program ? 'running' : 'starting' }
    if (program) this.#state = { ...this.#state, ...ran(program) }
  }

  /** Rejects when the program cannot be started, after it has removed the folder. */
  static async start(folder: string, unit: UnitFile, onEnd: (unit: ProcessUnit) => void): Promise<ProcessUnit> {
    await mkdir(join(folder, FILES.work), { recursive: true, mode: 0o700 })
    await writeUnitFile(folder, FILES.unit, unit)
    await writeFile(join(folder, FILES.go), '', { mode: 0o600 })
    await syncFolder(dirname(folder))
    const child = spawn(process.execPath, ['--max-old-space-size=64', KEEPER, folder], {
      detached: true,
      cwd: folder,
      env: keeperEnv(folder),
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    child.unref()
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve())
      child.once('error', () => resolve())
    })
    const news = await lastWords(child.stdio[3] as Readable)
    const found = await ProcessUnit.#read(folder)
    if (!found?.unit || news.started !== true) {
      await ended
      await forget(folder)
      throw new Error(news.refused ?? `the process that was to keep unit ${unit.name} ended before it started anything`)
    }
    found.unit.#ended = ended.then(() => found.unit?.settle()).then(() => onEnd(found.unit as ProcessUnit))
    return found.unit
  }

  /** Finds a unit of an earlier driver. Undefined when it had not started; then its start is withdrawn. */
  static async find(folder: string): Promise<ProcessUnit | undefined> {
    const withdrawn = await moved(join(folder, FILES.go), join(folder, FILES.withdrawn))
    for (let looks = 1; ; looks++, await delay(LOOK_AGAIN_MS)) {
      const found = await ProcessUnit.#read(folder)
      if (found?.unit) {
        if (!isAlive(found.unit.#keeper)) await found.unit.settle()
        return found.unit
      }
      if (!withdrawn && found?.begun && looks < KEEPER_LOOKS) continue
      await forget(folder)
      return undefined
    }
  }

  static async #read(folder: string): Promise<{ unit?: ProcessUnit; begun: boolean } | undefined> {
    const unit = await readUnitFile<UnitFile>(folder, FILES.unit)
    if (!unit) return undefined
    const keeper = await readUnitFile<ProcessIdentity>(folder, FILES.keeper)
    if (!keeper) return { begun: true }
    const program = await readUnitFile<ProgramFile>(folder, FILES.program)
    return { unit: new ProcessUnit(folder, unit, keeper, program), begun: true }
  }

  get state(): UnitState {
    return this.#state
  }

  get ended(): boolean {
    return this.#state.phase === 'exited'
  }

  /** Whether an earlier driver started it, so that its end has to be polled. */
  get foreign(): boolean {
    return this.#ended === undefined
  }

  /** Updates the state from disk; true when it changed. */
  async look(): Promise<boolean> {
    if (this.ended) return false
    if (!isAlive(this.#keeper)) {
      await this.settle()
      return true
    }
    if (this.#state.phase === 'running') return false
    const program = await readUnitFile<ProgramFile>(this.folder, FILES.program)
    if (program) this.#state = { ...this.#state, phase: 'running', ...ran(program) }
    return program !== undefined
  }

  /** Sends SIGTERM, after the grace period SIGKILL, and removes the folder. */
  async stop(graceSeconds: number): Promise<void> {
    if (!this.ended && graceSeconds > 0) {
      this.#signal('SIGTERM')
      await this.#waitForEnd(graceSeconds * 1000)
    }
    if (!this.ended) {
      this.#signal('SIGKILL')
      await this.#waitForEnd(KILLED_MS)
    }
    if (!this.ended) throw new Error(`process ${this.#keeper.pid} of unit ${this.#state.name} does not end on SIGKILL`)
    await forget(this.folder)
  }

  /** Ends the grace period of a running `stop`. */
  kill(): void {
    this.#signal('SIGKILL')
  }

  /** Called when its keeper has ended: records the exit, and ends processes that a killed keeper left running. */
  async settle(): Promise<void> {
    if (this.ended) return
    const program = await readUnitFile<ProgramFile>(this.folder, FILES.program)
    if (program && isAlive(program)) {
      // The group still has a member, so its number cannot be reused.
      process.kill(-this.#keeper.pid, 'SIGKILL')
    }
    // Also ends processes that left the group, as daemons do.
    await endStartedBy(cookieOf(this.#keeper), 0)
    const exit = (await readUnitFile<ExitFile>(this.folder, FILES.exit)) ?? {
      finishedAt: Date.now(),
      exitCode: 137,
      reason: 'Lost',
      message: 'it was killed together with the process that kept it, or the machine went down',
    }
    if (this.ended) return
    const { finishedAt, exitCode, reason, message } = exit
    this.#state = { ...this.#state, phase: 'exited', finishedAt, exitCode, reason, ...(message && { message }) }
    if (program) this.#state = { ...this.#state, ...ran(program) }
  }

  #signal(signal: NodeJS.Signals): void {
    if (!isAlive(this.#keeper)) return
    try {
      process.kill(-this.#keeper.pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }

  async #waitForEnd(ms: number): Promise<void> {
    if (this.#ended !== undefined) {
      const timeout = new AbortController()
      await Promise.race([this.#ended, delay(ms, undefined, { signal: timeout.signal }).catch(() => {})])
      timeout.abort()
      return
    }
    for (let left = ms / LOOK_AGAIN_MS; !this.ended && left > 0; left--) {
      await delay(LOOK_AGAIN_MS)
      await this.look()
    }
  }
}

function ran({ pid, startedAt }: ProgramFile): Pick<UnitState, 'pid' | 'startedAt'> {
  return { pid, startedAt }
}

/** With this process's compile cache the keeper starts in half the time. */
function keeperEnv(folder: string): NodeJS.ProcessEnv {
  // Node returns the subfolder of its own version; NODE_COMPILE_CACHE wants the parent.
  const cache = getCompileCacheDir()
  return { HOME: folder, ...(cache && { NODE_COMPILE_CACHE: dirname(cache) }) }
}

/** The message that the keeper writes before it closes the pipe. */
async function lastWords(pipe: Readable): Promise<{ started?: boolean; refused?: string }> {
  let text = ''
  try {
    for await (const chunk of pipe) text += String(chunk)
  } catch {
    // Treated as a keeper that wrote nothing.
  }
  return text === '' ? {} : (JSON.parse(text) as { started?: boolean; refused?: string })
}

async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch {
    return false
  }
}

/** Renames the folder first, so that a half-removed one is never taken for a unit. */
async function forget(folder: string): Promise<void> {
  const gone = join(dirname(folder), `${GONE}${basename(folder)}`)
  if (await moved(folder, gone)) await rm(gone, { recursive: true, force: true })
}
