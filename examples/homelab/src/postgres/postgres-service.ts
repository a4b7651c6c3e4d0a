// What the operator does on PostgreSQL servers. All instances share it; it keeps no connection.

import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { isRefusedLogin, type Login, type Server, withConnection } from './connect.ts'
import { planDatabase, planDrop, planRetain, planRole, type Wanted } from './database-plan.ts'
import { NameTaken } from './name-taken.ts'
import { availableExtensions, type Extension, observe, observeDatabase } from './observe.ts'
import { quoteName, quoteText } from './quote.ts'
import { scramVerifier } from './scram.ts'

/** A server and who looks after its databases. */
export interface Admin {
  readonly server: Server
  readonly login: Login
}

export class PostgresService {
  /** The server's version; throws unless the login may create databases and roles. */
  check({ server, login }: Admin, signal: AbortSignal): Promise<{ version: string; canManage: boolean }> {
    return withConnection(server, login, signal, async (client) => {
      const { rows } = await client.query(
        `SELECT current_setting('server_version') AS version,
          rolsuper OR (rolcreatedb AND rolcreaterole) AS "canManage" FROM pg_roles WHERE rolname = current_user`,
      )
      return rows[0]
    })
  }

  extensions({ server, login }: Admin, names: readonly string[], signal: AbortSignal): Promise<readonly Extension[]> {
    if (names.length === 0) return Promise.resolve([])
    return withConnection(server, login, signal, (client) => availableExtensions(client, names))
  }

  /** Makes role and database as wanted. Returns the statements that were needed: none when all was right. */
  async ensure({ server, login }: Admin, wanted: Wanted, password: string, signal: AbortSignal): Promise<string[]> {
    const done: string[] = []
    await withConnection(server, login, signal, async (client) => {
      const plan = planRole(await observe(client, wanted.name), wanted)
      if ('taken' in plan) throw new NameTaken(plan.taken)
      await runAll(client, plan.statements, done)
    })
    await withConnection(server, { ...login, database: wanted.name }, signal, async (client) => {
      await runAll(client, planDatabase(await observeDatabase(client, wanted.name), wanted), done)
    })
    if (!(await this.#accepts(server, { user: wanted.name, password, database: wanted.name }, signal))) {
      await withConnection(server, login, signal, (client) => setPassword(client, wanted.name, password))
      done.push(`ALTER ROLE ${quoteName(wanted.name)} PASSWORD …`)
    }
    return done
  }

  /** Logs in as the application will, and makes and drops a table. */
  async verify(server: Server, login: Login, signal: AbortSignal): Promise<void> {
    await withConnection(server, login, signal, async (client) => {
      const table = quoteName(`homelab-check-${randomUUID()}`)
      await client.query(`BEGIN; CREATE TABLE public.${table} (); ROLLBACK`)
    })
  }

  retain(admin: Admin, wanted: Wanted, signal: AbortSignal): Promise<string[]> {
    return this.#removeBy(planRetain, admin, wanted, signal)
  }

  drop(admin: Admin, wanted: Wanted, signal: AbortSignal): Promise<string[]> {
    return this.#removeBy(planDrop, admin, wanted, signal)
  }

  async #accepts(server: Server, login: Login, signal: AbortSignal): Promise<boolean> {
    try {
      return await withConnection(server, login, signal, async () => true)
    } catch (error) {
      if (isRefusedLogin(error)) return false
      throw error
    }
  }

  #removeBy(plan: typeof planDrop, { server, login }: Admin, wanted: Wanted, signal: AbortSignal): Promise<string[]> {
    return withConnection(server, login, signal, async (client) => {
      const done: string[] = []
      await runAll(client, plan(await observe(client, wanted.name), wanted), done)
      return done
    })
  }
}

async function runAll(client: Client, statements: readonly string[], done: string[]): Promise<void> {
  for (const statement of statements) {
    await client.query(statement)
    done.push(statement)
  }
}

async function setPassword(client: Client, name: string, password: string): Promise<void> {
  await client.query(`ALTER ROLE ${quoteName(name)} PASSWORD ${quoteText(scramVerifier(password))}`)
}
