// The function of the handler of Databases: keeps the server and the application's database, and puts its login into a Secret. The
// password exists in that Secret and as a hash in PostgreSQL; it is in no status, event or Process.

import { randomBytes } from 'node:crypto'
import type { ApiObject, Client } from '@homeostat/client'
import type { ExecutorFunction, ProcessContext } from '@homeostat/executor'
import { type Fields, listOf, type Resource, readResource, refuse, textOf } from '../resource.ts'
import { partiallySupported, type Read, unusedFields } from '../unused-fields.ts'
import { ensureApplication } from './application-database.ts'
import {
  CONNECTION_FIELDS,
  connectionStatus,
  type DatabaseRuntime,
  databaseProblems,
  formerPort,
  keepsData,
  OWN_FIELDS,
  type PostgresDatabase,
  postgresDatabase,
} from './database-plan.ts'
import type { OwnServer } from './own-server.ts'

/** While it starts, and afterwards: PostgreSQL tells nobody when it ends. */
const SOON = '1s'
const LOOK_AGAIN = '15s'
/** The name of role and database in a server of its own. */
const APPLICATION = 'app'

export interface DatabaseOptions {
  /** Opened when a Database first needs it. */
  open(runtime: DatabaseRuntime): Promise<OwnServer>
  /** Of Databases that name none. */
  readonly defaultRuntime: DatabaseRuntime
}

export function reconcileDatabase(options: DatabaseOptions): ExecutorFunction {
  return async (context) => {
    const resource = readResource(context.kwargs)
    if (resource.isDeleting) return remove(resource, options)
    const former = textOf(resource.status.runtime)
    refuse([...databaseProblems(resource.spec), ...moveProblems(former, runtimeOf(resource.spec, options))])
    return resource.spec.connection === undefined
      ? ownServer(context, resource, options)
      : existingServer(context, resource)
  }
}

/** Data is never moved by itself. */
function moveProblems(former: string | undefined, wanted: string): string[] {
  if (former === undefined || former === wanted) return []
  return [
    `spec.runtime: the data is with ${former}, and is not moved to ${wanted}: delete the Database, or change it back`,
  ]
}

function runtimeOf(spec: Fields, { defaultRuntime }: DatabaseOptions): string {
  return spec.connection === undefined ? (textOf(spec.runtime) ?? defaultRuntime) : 'connection'
}

/** By the status, which says where it is. */
async function remove({ name, namespace, spec, status }: Resource, options: DatabaseOptions): Promise<void> {
  const runtime = textOf(status.runtime) ?? runtimeOf(spec, options)
  if (runtime !== 'local' && runtime !== 'docker') return // the PostgresDatabase goes with its owner, by its own policy
  await (await options.open(runtime)).remove({ name, namespace }, keepsData(spec))
}

async function existingServer(
  { client, children, status, requeueAfter }: ProcessContext,
  resource: Resource,
): Promise<void> {
  const wanted = postgresDatabase(resource)
  children([wanted])
  const { apiVersion = '', kind = '', metadata } = wanted
  const databases = client.resourceOf<PostgresDatabase>(apiVersion, kind)
  const found = await databases.find({ name: metadata.name ?? '', namespace: resource.namespace })
  const now = connectionStatus(found)
  status({
    runtime: 'connection',
    ...now,
    conditions: conditions(resource, CONNECTION_FIELDS, now.phase === 'Running', now.message),
  })
  requeueAfter(now.phase === 'Running' ? LOOK_AGAIN : SOON)
}

async function ownServer(context: ProcessContext, resource: Resource, options: DatabaseOptions): Promise<void> {
  const { client, status, requeueAfter, kwargs, log } = context
  const runtime = runtimeOf(resource.spec, options) as DatabaseRuntime
  // Before anything is there: a deletion has to know where to look.
  if (resource.status.runtime === undefined) {
    status({ runtime, phase: 'Pending', conditions: conditions(resource, OWN_FIELDS, false, 'begins') })
    return requeueAfter('1ms')
  }
  const server = await options.open(runtime)
  const superuser = await server.ensure(resource, resource.spec, formerPort(resource.status))
  const secret = `database-${resource.name}`
  const password = await ensureSecret(client, resource, {
    apiVersion: String(kwargs.apiVersion),
    kind: String(kwargs.kind),
    secret,
    port: superuser.port,
  })
  const extensions = listOf(resource.spec.extensions).map(String)
  const isUp = await ensureApplication(superuser, { name: APPLICATION, password, extensions })
  if (isUp && resource.status.phase !== 'Running') log(`PostgreSQL answers on port ${superuser.port}`)
  status({
    runtime,
    phase: isUp ? 'Running' : 'Pending',
    endpoint: `127.0.0.1:${superuser.port}`,
    port: superuser.port,
    database: APPLICATION,
    secret,
    conditions: conditions(resource, OWN_FIELDS, isUp, isUp ? '' : 'PostgreSQL starts'),
  })
  requeueAfter(isUp ? LOOK_AGAIN : SOON)
}

function conditions({ spec }: Resource, read: Read, isReady: boolean, message: unknown): object[] {
  const ready = isReady
    ? { type: 'Ready', status: 'True', reason: 'Accepts', message: 'the login of the Secret is accepted' }
    : { type: 'Ready', status: 'False', reason: 'Starting', message: String(message) }
  return [ready, partiallySupported(unusedFields(spec, read))]
}

interface SecretParts {
  readonly apiVersion: string
  readonly kind: string
  readonly secret: string
  readonly port: number
}

/** Keeps the password that is there. It comes before the role has it, so that it cannot be lost. */
async function ensureSecret(client: Client, { name, namespace, uid }: Resource, parts: SecretParts): Promise<string> {
  const { apiVersion, kind, secret, port } = parts
  const secrets = client.resource('v1', 'Secret')
  const found = await secrets.find({ name: secret, namespace })
  if (found && !found.metadata.ownerReferences?.some((owner) => owner.uid === uid))
    throw new Error(`there is a Secret ${secret} in ${namespace} that is not of this Database: delete or rename it`)
  const password = decoded(found?.data?.password) || randomBytes(24).toString('base64url')
  const login = { host: '127.0.0.1', port: String(port), database: APPLICATION, user: APPLICATION, password }
  const data = Object.fromEntries(
    Object.entries(login).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
  )
  if (found && Object.entries(data).every(([key, value]) => found.data?.[key] === value)) return password
  const wanted: ApiObject & { data: typeof data } = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: secret, namespace, ownerReferences: [{ apiVersion, kind, name, uid }] },
    data,
  }
  await secrets.apply(wanted, { fieldManager: 'database-controller', force: true })
  return password
}

function decoded(value: string | undefined): string {
  return Buffer.from(value ?? '', 'base64').toString()
}
