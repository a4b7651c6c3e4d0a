// A PostgreSQL of the bench's own in a temporary folder, durable as it comes, on a Unix socket.

import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { asServer, type Server, track } from './server.ts'

const DEBIAN = '/usr/lib/postgresql'
const READY_WITHIN_MS = 30_000
const NOBODY = 65_534

export interface Postgres extends Server {
  /** The folder of its socket. */
  readonly host: string
}

/** Where its programs are; undefined when it is not installed. */
export function postgresPrograms(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [...versions.map((version) => join(DEBIAN, version, 'bin')), ...(process.env.PATH ?? '').split(':')]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
}

export async function startPostgres(programs: string): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-bench-pg-'))
  // It refuses to run as root, and so gets a user and a folder of that user's own.
  const owner = process.getuid?.() === 0 ? { uid: userId(), gid: userId() } : {}
  if (owner.uid !== undefined) execFileSync('chown', [`${owner.uid}:${owner.gid}`, folder])
  const data = join(folder, 'data')
  const options = ['-D', data, '-U', 'bench', '--auth=trust', '--no-sync', '--no-locale', '-E', 'UTF8']
  execFileSync(join(programs, 'initdb'), options, { ...owner, cwd: folder, stdio: 'ignore' })
  const settings = ['-c', 'listen_addresses=', '-c', 'max_connections=200', '-c', 'log_min_messages=error']
  const args = ['-D', data, '-k', folder, ...settings]
  const child = track(spawn(join(programs, 'postgres'), args, { ...owner, cwd: folder, stdio: 'ignore' }))
  const server = asServer(child, 0)
  const began = performance.now()
  while (!existsSync(join(folder, '.s.PGSQL.5432'))) {
    if (child.exitCode !== null) throw new Error('PostgreSQL ended before it was ready')
    if (performance.now() - began > READY_WITHIN_MS) throw new Error('PostgreSQL is not ready')
    await sleep(10)
  }
  const stop = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { ...server, host: folder, stop }
}

function userId(): number {
  try {
    return Number(execFileSync('id', ['-u', 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    return NOBODY
  }
}
