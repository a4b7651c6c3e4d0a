// Reads what a server has of a role and its database. The answers are the input of database-plan.ts.

import type { Client } from 'pg'
import type { Observed, ObservedDatabase } from './database-plan.ts'

const ROLE = `
  SELECT shobj_description(r.oid, 'pg_authid') AS mark, r.rolcanlogin AS "canLogin",
    array_remove(ARRAY[
      CASE WHEN r.rolsuper THEN 'NOSUPERUSER' END, CASE WHEN r.rolcreatedb THEN 'NOCREATEDB' END,
      CASE WHEN r.rolcreaterole THEN 'NOCREATEROLE' END, CASE WHEN r.rolreplication THEN 'NOREPLICATION' END,
      CASE WHEN r.rolbypassrls THEN 'NOBYPASSRLS' END], NULL) AS excess,
    ARRAY(SELECT g.rolname::text FROM pg_auth_members m JOIN pg_roles g ON g.oid = m.roleid
      WHERE m.member = r.oid ORDER BY 1) AS "memberOf"
  FROM pg_roles r WHERE r.rolname = $1`

const DATABASE = `
  SELECT
    EXISTS (SELECT FROM pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a
      WHERE d.datname = current_database() AND a.grantee = 0) AS "isPublic",
    ARRAY(SELECT right_ FROM unnest(ARRAY['CONNECT', 'TEMPORARY', 'CREATE']) right_
      WHERE has_database_privilege($1, current_database(), right_)) AS rights,
    ARRAY(SELECT right_ FROM unnest(ARRAY['USAGE', 'CREATE']) right_
      WHERE has_schema_privilege($1, 'public', right_)) AS "schemaRights",
    ARRAY(SELECT extname::text FROM pg_extension) AS extensions`

export async function observe(client: Client, name: string): Promise<Observed> {
  const role = await client.query(ROLE, [name])
  const database = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
  return { role: role.rows[0], databaseExists: database.rowCount === 1 }
}

export async function observeDatabase(client: Client, name: string): Promise<ObservedDatabase> {
  return (await client.query<ObservedDatabase>(DATABASE, [name])).rows[0] as ObservedDatabase
}

export interface Extension {
  readonly name: string
  /** One that its authors hold to be safe in the hands of anybody who owns a database. */
  readonly trusted: boolean
}

/** Those of the names that the server has to offer. */
export async function availableExtensions(client: Client, names: readonly string[]): Promise<readonly Extension[]> {
  const { rows } = await client.query<Extension>(
    `SELECT name::text, bool_or(trusted) AS trusted FROM pg_available_extension_versions
     WHERE name = ANY($1) GROUP BY name`,
    [names],
  )
  return rows
}
