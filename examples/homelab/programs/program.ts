// Starts a program of the machine in a temporary folder on a free port of loopback, and ends it with its folder.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, chownSync, constants, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** As root, programs run as nobody: PostgreSQL refuses to be root. */
const NOBODY = 65534
export const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

export interface Started {
  readonly host: string
  readonly port: number
  /** As if the machine lost power: nothing is told to the program. The data stays. */
  kill(): Promise<void>
  /** Starts it again, on the same port and data. */
  restart(): Promise<void>
  /** Ends it and deletes its data. Safe to call twice. */
  close(): Promise<void>
}

/** The path of a program, also where Debian hides those of PostgreSQL; undefined when it is not installed. */
export function findProgram(name: string): string | undefined {
  const folders = [...debianPostgres(), ...(process.env.PATH ?? '').split(delimiter)]
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

export function requireProgram(name: string, debianPackage: string): string {
  const path = findProgram(name)
  if (path === undefined) throw new Error(`${name} is not installed: on Debian, apt-get install ${debianPackage}`)
  return path
}

export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `homelab-${name}-`))
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
  return folder
}

export interface Program {
  readonly path: string
  readonly args: readonly string[]
  readonly folder: string
  readonly port: number
  /** Resolves when it answers. */
  readonly answers: () => Promise<boolean>
  /** What it says when it ends because processes of one that was killed are not gone yet. It is started again then. */
  readonly tooSoon?: RegExp
}

export async function start(program: Program): Promise<Started> {
  const { path, args, folder, port, answers, tooSoon } = program
  let child: ChildProcess | undefined
  let closed: Promise<void> | undefined
  const end = async (signal: NodeJS.Signals) => {
    const running = child
    child = undefined
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const ended = once(running, 'exit')
    running.kill(signal)
    await ended
  }
  const begin = async (): Promise<void> => {
    let printed = ''
    child = spawn(path, args, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
    child.stderr?.on('data', (chunk) => {
      printed = `${printed}${chunk}`.slice(-4000)
    })
    const exited = once(child, 'close').then(() => 'exited' as const)
    for (;;) {
      if (await answers()) return
      const turn = new Promise<'again'>((resolve) => setTimeout(resolve, 50, 'again'))
      if ((await Promise.race([exited, turn])) !== 'exited') continue
      if (tooSoon?.test(printed)) return begin()
      throw new Error(`${path} ended:\n${printed}`)
    }
  }
  const onExit = () => void child?.kill('SIGKILL')
  process.once('exit', onExit)
  const started: Started = {
    host: '127.0.0.1',
    port,
    kill: () => end('SIGKILL'),
    restart: begin,
    close: () =>
      (closed ??= end('SIGQUIT').then(() => {
        process.off('exit', onExit)
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
      })),
  }
  try {
    await begin()
  } catch (error) {
    await started.close()
    throw error
  }
  return started
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** `/usr/lib/postgresql/15/bin`, the newest first. */
function debianPostgres(): string[] {
  const root = '/usr/lib/postgresql'
  try {
    const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a))
    return versions.map((version) => join(root, version, 'bin'))
  } catch {
    return []
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
