// The database and the role of an application in a PostgreSQL server of its own. Every statement can run again.

import { Client, DatabaseError } from 'pg'
import type { Superuser } from './own-server.ts'

export interface Application {
  /** Of the database and of its role. */
  readonly name: string
  readonly password: string
  readonly extensions: readonly string[]
}

const TIMEOUT_MS = 10_000

/** False while the server does not answer yet. */
export async function ensureApplication({ port, password }: Superuser, application: Application): Promise<boolean> {
  const admin = { user: 'postgres', password }
  const isUp = await connected({ port, ...admin, database: 'postgres' }, (client) =>
    makeRole(client, application),
  ).catch(unlessStarting)
  if (isUp === STARTING) return false
  await connected({ port, ...admin, database: application.name }, async (client) => {
    for (const extension of application.extensions) {
      await client.query(`CREATE EXTENSION IF NOT EXISTS ${client.escapeIdentifier(extension)}`)
    }
  })
  const own = { port, user: application.name, password: application.password, database: application.name }
  try {
    await connected(own, (client) => client.query('SELECT'))
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== '28P01') throw error
    // Its Secret is new, or somebody changed the password.
    await connected({ port, ...admin, database: 'postgres' }, (client) =>
      client.query(
        `ALTER ROLE ${client.escapeIdentifier(application.name)} PASSWORD ${client.escapeLiteral(application.password)}`,
      ),
    )
    await connected(own, (client) => client.query('SELECT'))
  }
  return true
}

async function makeRole(client: Client, { name }: Application): Promise<void> {
  const quoted = client.escapeIdentifier(name)
  const { rowCount: roles } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [name])
  if (!roles) await client.query(`CREATE ROLE ${quoted} LOGIN`)
  const { rowCount: databases } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
  if (databases) return
  await client.query(`CREATE DATABASE ${quoted} OWNER ${quoted}`)
  await client.query(`REVOKE ALL ON DATABASE ${quoted} FROM PUBLIC`)
}

const STARTING = Symbol('starting')

/** It does not listen yet, or says that it starts. */
function unlessStarting(error: unknown): typeof STARTING {
  const { code } = error as { code?: unknown }
  if (code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === '57P03') return STARTING
  throw error
}

interface Login {
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
}

async function connected<R>(login: Login, work: (client: Client) => Promise<R>): Promise<R> {
  const limits = { connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS }
  const client = new Client({ host: '127.0.0.1', ...login, ...limits, application_name: 'database-controller' })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}
