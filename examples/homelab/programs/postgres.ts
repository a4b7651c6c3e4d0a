// A PostgreSQL server of its own, with an administrator who is no superuser, as a careful person would give to an operator.

import { execFile } from 'node:child_process'
import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { freePort, requireProgram, type Started, start, temporaryFolder, user } from './program.ts'

export interface Postgres extends Started {
  /** May create databases and roles, and nothing else. */
  readonly admin: { readonly user: string; readonly password: string }
  /** Runs SQL as the superuser. */
  sql(text: string, database?: string): Promise<Record<string, unknown>[]>
}

const PASSWORD = 'only-on-loopback'
const ADMIN = { user: 'homelab_admin', password: 'it\'s \\ "quoted" – €' }

export async function startPostgres(): Promise<Postgres> {
  const initdb = requireProgram('initdb', 'postgresql')
  const path = requireProgram('postgres', 'postgresql')
  const folder = temporaryFolder('postgres')
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, PASSWORD, { mode: 0o600 })
  if (user.uid !== undefined) chownSync(passwordFile, user.uid, user.gid)
  const data = join(folder, 'data')
  const login = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
  const making = [...login, '--encoding=UTF8', '--locale=C', '--no-sync', '-D', data]
  await promisify(execFile)(initdb, making, { ...user, cwd: folder })
  const port = await freePort()
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off', shared_buffers: '16MB' }
  const args = [
    '-D',
    data,
    '-p',
    String(port),
    ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
  ]
  const sql = (text: string, database = 'postgres') => query(port, text, database)
  const answers = () =>
    sql('SELECT').then(
      () => true,
      () => false,
    )
  const tooSoon = /pre-existing shared memory block/
  const started = await start({ path, args, folder, port, answers, tooSoon })
  await sql(`CREATE ROLE ${ADMIN.user} LOGIN CREATEDB CREATEROLE PASSWORD '${ADMIN.password.replaceAll("'", "''")}'`)
  return { ...started, admin: ADMIN, sql }
}

async function query(port: number, text: string, database: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ host: '127.0.0.1', port, user: 'postgres', password: PASSWORD, database })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(text)).rows
  } finally {
    await client.end().catch(() => {})
  }
}
