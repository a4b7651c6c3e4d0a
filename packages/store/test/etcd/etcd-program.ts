// The programs of etcd: built once by Go from the module proxy, into a cache folder of the user. The cluster for tests and
// `scripts/etcd-up` call it. It writes nothing into the clone.

import { execFile } from 'node:child_process'
import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

/** The newest 3.6 that tests run on. */
export const ETCD_VERSION = '3.6.16'

/** `go install` refuses them, since their go.mod replaces modules; as a dependency of another module they are built as they are. */
const PACKAGES = { etcd: 'go.etcd.io/etcd/server/v3', etcdutl: 'go.etcd.io/etcd/etcdutl/v3' } as const
type ProgramName = keyof typeof PACKAGES

/** Why there can be no etcd here; undefined when there can. With HOMEOSTAT_NO_SKIP=1 it throws instead. */
export function etcdMissing(): string | undefined {
  const reason = present(chosen() ?? cached()) || goProgram() !== undefined ? undefined : 'go is not on the PATH'
  if (reason === undefined) return undefined
  if (process.env.HOMEOSTAT_NO_SKIP === '1')
    throw new Error(`${reason}, and HOMEOSTAT_NO_SKIP=1 forbids skipping the tests of etcd`)
  process.stderr.write(`skipped: tests that need etcd, since ${reason}\n`)
  return reason
}

/** The path of the program: the one that HOMEOSTAT_ETCD_PROGRAM names, or the one of the cache, which is built if it is not there. */
export async function etcdProgram(version = ETCD_VERSION, say: (line: string) => void = () => {}): Promise<string> {
  const named = chosen()
  if (named === undefined) return builtProgram('etcd', version, say)
  if (present(named)) return named
  throw new Error(`HOMEOSTAT_ETCD_PROGRAM names ${named}, which cannot be run`)
}

/** The path of the program that restores snapshots. */
export function etcdutlProgram(): Promise<string> {
  return builtProgram('etcdutl', ETCD_VERSION, () => {})
}

async function builtProgram(name: ProgramName, version: string, say: (line: string) => void): Promise<string> {
  const program = cached(name, version)
  if (present(program)) return program
  const release = await lock(`${program}.lock`)
  try {
    if (!present(program)) await build(name, program, version, say)
  } finally {
    release()
  }
  return program
}

async function build(name: ProgramName, program: string, version: string, say: (line: string) => void): Promise<void> {
  const go = goProgram()
  if (go === undefined) throw new Error('etcd is built by Go, and go is not on the PATH')
  say(`building ${name} ${version}; once, a few minutes`)
  // Beside the program, so that it can be renamed to its place.
  const folder = mkdtempSync(join(program, '..', 'build-'))
  const run = (...args: string[]) =>
    promisify(execFile)(go, args, { cwd: folder, env: { ...process.env, GOWORK: 'off' } })
  try {
    await run('mod', 'init', 'programs')
    await run('get', `${PACKAGES[name]}@v${version}`)
    await run('build', '-trimpath', '-ldflags=-s -w', '-o', name, PACKAGES[name])
    renameSync(join(folder, name), program)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const chosen = () => process.env.HOMEOSTAT_ETCD_PROGRAM || undefined

function cached(name: ProgramName = 'etcd', version = ETCD_VERSION): string {
  const caches = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  return join(caches, 'homeostat', `${name}-${version}`)
}

function goProgram(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map((folder) => join(folder, 'go')).find(present)
}

function present(program: string): boolean {
  try {
    accessSync(program, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** One process builds, the others wait for it. The lock of a process that is gone counts for nothing. */
async function lock(file: string): Promise<() => void> {
  mkdirSync(join(file, '..'), { recursive: true })
  for (;;) {
    try {
      writeFileSync(file, `${process.pid}`, { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
    if (!alive(ownerOf(file))) rmSync(file, { force: true })
    else await delay(100)
  }
}

function ownerOf(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8')) || process.pid
  } catch {
    return process.pid
  }
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
