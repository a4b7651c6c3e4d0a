// Decides what a database lacks: from what is there to the statements that make it as wanted. Pure. Nothing of others is ever
// in a plan: a role carries the mark of the object it was made for, in the transaction that makes it, and a database without
// such a role belongs to somebody else.

import { quoteName, quoteText } from './quote.ts'

export interface ObservedRole {
  readonly mark: string | null
  readonly canLogin: boolean
  /** Rights over the whole server, by the word that takes each away: NOSUPERUSER and the like. */
  readonly excess: readonly string[]
  /** Roles whose rights it has besides its own. */
  readonly memberOf: readonly string[]
}

export interface ObservedDatabase {
  /** Of the role, in this database. */
  readonly rights: readonly string[]
  /** Anybody may connect, which is PostgreSQL's default. */
  readonly isPublic: boolean
  readonly extensions: readonly string[]
  readonly schemaRights: readonly string[]
}

export interface Observed {
  readonly role: ObservedRole | undefined
  /** Exists: the details are known only to who connects to it. */
  readonly databaseExists: boolean
}

export interface Wanted {
  /** Of the database and of its role. */
  readonly name: string
  /** Says whose it is: the same for an object of the same name that is made again. */
  readonly mark: string
  readonly extensions: readonly string[]
}

export type Plan = { readonly statements: readonly string[] } | { readonly taken: string }

const RIGHTS = ['CONNECT', 'TEMPORARY', 'CREATE'] as const
const SCHEMA_RIGHTS = ['USAGE', 'CREATE'] as const
const NO_RIGHTS = 'NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS'

/** Statements for the maintenance database. Those that begin with CREATE DATABASE must be outside of a transaction. */
export function planRole({ role, databaseExists }: Observed, { name, mark }: Wanted): Plan {
  const quoted = quoteName(name)
  if (role && role.mark !== mark) return { taken: `the role ${quoted} is ${ownerOf(role.mark)}` }
  if (!role && databaseExists) return { taken: `the database ${quoted} was not made by this operator` }
  const statements: string[] = []
  if (!role) {
    // One statement string is one transaction: there is never a role without its mark.
    const made = `CREATE ROLE ${quoted} LOGIN ${NO_RIGHTS}; COMMENT ON ROLE ${quoted} IS ${quoteText(mark)}`
    statements.push(made)
  } else {
    const words = [...(role.canLogin ? [] : ['LOGIN']), ...role.excess]
    if (words.length > 0) statements.push(`ALTER ROLE ${quoted} ${words.join(' ')}`)
    for (const other of role.memberOf) statements.push(`REVOKE ${quoteName(other)} FROM ${quoted}`)
  }
  if (!databaseExists) statements.push(`CREATE DATABASE ${quoted}`)
  return { statements }
}

/** Statements for the database itself. */
export function planDatabase(observed: ObservedDatabase, { name, extensions }: Wanted): readonly string[] {
  const quoted = quoteName(name)
  const statements: string[] = []
  if (observed.isPublic) statements.push(`REVOKE ALL ON DATABASE ${quoted} FROM PUBLIC`)
  // What it has as one of PUBLIC goes with that.
  const rights = RIGHTS.filter((right) => observed.isPublic || !observed.rights.includes(right))
  if (rights.length > 0) statements.push(`GRANT ${rights.join(', ')} ON DATABASE ${quoted} TO ${quoted}`)
  const inSchema = SCHEMA_RIGHTS.filter((right) => !observed.schemaRights.includes(right))
  if (inSchema.length > 0) statements.push(`GRANT ${inSchema.join(', ')} ON SCHEMA public TO ${quoted}`)
  for (const extension of extensions) {
    if (!observed.extensions.includes(extension)) statements.push(`CREATE EXTENSION ${quoteName(extension)}`)
  }
  return statements
}

/** What a removed object leaves: its data, and a role that nobody can log in as. Nothing when it is not ours. */
export function planRetain({ role }: Observed, { name, mark }: Wanted): readonly string[] {
  if (role?.mark !== mark || !role.canLogin) return []
  return [`ALTER ROLE ${quoteName(name)} NOLOGIN PASSWORD NULL`]
}

/** Each statement on its own: DROP DATABASE cannot be in a transaction. Nothing when it is not ours. */
export function planDrop({ role, databaseExists }: Observed, { name, mark }: Wanted): readonly string[] {
  if (role?.mark !== mark) return []
  const quoted = quoteName(name)
  // Who ends the sessions of a role must be a member of it.
  const drop = [`GRANT ${quoted} TO CURRENT_USER`, `DROP DATABASE ${quoted} WITH (FORCE)`]
  return [...(databaseExists ? drop : []), `DROP ROLE ${quoted}`]
}

function ownerOf(mark: string | null): string {
  return mark?.startsWith('homeostat ') ? `that of ${mark.slice('homeostat '.length)}` : 'not made by this operator'
}
