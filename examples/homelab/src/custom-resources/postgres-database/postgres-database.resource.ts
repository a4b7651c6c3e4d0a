// Keeps a database, its role and its Secret as wanted. The Secret is made first and the role follows it, so that a crash
// between the two leaves a password that the next reconcile sets.

import { randomBytes } from 'node:crypto'
import type { LooseObject } from '@homeostat/client'
import {
  CustomResource,
  type EnsuredSecret,
  type Resource,
  ResourceService,
  SecretService,
  terminal,
  waiting,
} from '@homeostat/operator'
import type { z } from 'zod'
import { placeOf, readyDependency } from '../../dependency.ts'
import { durationMs } from '../../fields.ts'
import { GROUP } from '../../group.ts'
import type { Wanted } from '../../postgres/database-plan.ts'
import { type Admin, PostgresService } from '../../postgres/postgres-service.ts'
import { troubleOf } from '../../postgres/trouble.ts'
import { isRotationDue, rotationRequest, stampOf, untilRotation } from '../../rotation.ts'
import {
  postgresConnectionSpecSchema,
  postgresLoginSchema,
} from '../postgres-connection/postgres-connection.schemas.ts'
import { databaseNameOf, markOf, secretNameOf } from './postgres-database.names.ts'
import {
  postgresDatabaseSecretSchema,
  type postgresDatabaseSpecSchema,
  type postgresDatabaseStatusSchema,
} from './postgres-database.schemas.ts'

type ConnectionSpec = z.output<typeof postgresConnectionSpecSchema>
type Credentials = EnsuredSecret<z.output<typeof postgresDatabaseSecretSchema>>

/** A connection that may be used, with its login. */
interface Reached extends Admin {
  readonly spec: ConnectionSpec
}

export class PostgresDatabaseResource extends CustomResource<
  typeof postgresDatabaseSpecSchema,
  typeof postgresDatabaseStatusSchema
> {
  readonly #postgres = this.services.get(PostgresService)
  /** Handles in fields have the caches of their kinds synced before the first reconcile. */
  readonly watched = [
    this.#connection,
    this.services.get(SecretService).get({ name: secretNameOf(this.name), namespace: this.namespace }),
  ]

  async reconcile() {
    this.#refuseMove()
    let reached: Reached | undefined
    let secret: Credentials | undefined
    await this.reconcileSubresource('Connection', async () => {
      readyDependency(this.#connection)
      reached = this.#reach()
      return { ready: true }
    })
    await this.reconcileSubresource('Secret', async () => {
      secret = await this.#reconcileSecret(needed(reached, 'the connection'))
      return { ready: true }
    })
    await this.reconcileSubresource('Database', async () => {
      await this.#reconcileDatabase(needed(reached, 'the connection'), needed(secret, 'the Secret'))
      return { ready: true, message: 'the application can log in' }
    })
    if (!reached || !secret) return {}
    await this.patchStatus({ ...this.#identity, secret: secret.name, rotatedAt: secret.value.rotatedAt })
    const next = [
      durationMs(reached.spec.checkEvery),
      untilRotation(secret.value, this.#rotation) ?? Number.POSITIVE_INFINITY,
    ]
    return { requeueAfter: { milliseconds: Math.max(1000, Math.min(...next)) } }
  }

  /** Waits for a server that is down: the object stays until its policy was carried out. */
  override async cleanup() {
    const { deletionPolicy } = this.spec
    const { live } = this.#connection
    if (!live && deletionPolicy === 'Retain') return
    if (!live) {
      const advice = 'create it again, or set spec.deletionPolicy to Retain to leave the database behind'
      throw waiting('MissingDependency', `PostgresConnection ${this.#identity.connection} not found: ${advice}`)
    }
    const { spec, server, login } = this.#reach()
    try {
      if (deletionPolicy === 'Delete') await this.#postgres.drop({ server, login }, this.#wanted, this.signal)
      else await this.#postgres.retain({ server, login }, this.#wanted, this.signal)
    } catch (error) {
      throw troubleOf(error, spec)
    }
  }

  get #connection(): Resource<LooseObject> {
    const place = placeOf(this.spec.connection, this.namespace)
    const kind = { apiVersion: `${GROUP}/v1`, kind: 'PostgresConnection' }
    return this.services.get(ResourceService).of<LooseObject>({ ...kind, ...place })
  }

  get #identity() {
    const { name, namespace } = placeOf(this.spec.connection, this.namespace)
    return { database: this.spec.database ?? databaseNameOf(this), connection: `${namespace}/${name}` }
  }

  get #wanted(): Wanted {
    return { name: this.#identity.database, mark: markOf(this), extensions: this.spec.extensions }
  }

  get #rotation() {
    const every = this.spec.rotation?.every
    const everyMs = every === undefined ? undefined : durationMs(every)
    return rotationRequest(this.metadata.annotations, everyMs, this.services.cluster.clock.now())
  }

  /** Another name or server would be another database: the data would seem to be gone. */
  #refuseMove(): void {
    const { database, connection } = this.#identity
    const { status } = this
    if (status?.database === undefined) return
    if (status.database === database && status.connection === connection) return
    const problem = `it is ${JSON.stringify(status.database)} on ${status.connection} and cannot move; create another PostgresDatabase`
    throw terminal(new Error(problem), 'Immutable')
  }

  #reach(): Reached {
    const { live, name, namespace = '' } = this.#connection
    const spec = postgresConnectionSpecSchema.parse(live?.spec)
    const mayUse = [namespace, ...spec.allowedNamespaces].some((one) => one === this.namespace || one === '*')
    if (!mayUse) {
      const problem = `PostgresConnection ${namespace}/${name} does not list ${this.namespace} in spec.allowedNamespaces`
      throw waiting('ConnectionNotAllowed', problem)
    }
    const place = { name: spec.credentials.secret, namespace }
    const { value } = this.services.get(SecretService).get({ ...place, schema: postgresLoginSchema }).current
    if (!value) throw waiting('MissingSecret', `Secret ${namespace}/${place.name} is not there, or has no login`)
    return { spec, server: spec, login: { ...value, database: spec.database } }
  }

  async #reconcileSecret({ spec }: Reached): Promise<Credentials> {
    const { database } = this.#identity
    const derived = { host: spec.host, port: String(spec.port), database, user: database }
    const request = this.#rotation
    const secrets = this.services.get(SecretService)
    const options = {
      name: secretNameOf(this.name),
      namespace: this.namespace,
      schema: postgresDatabaseSecretSchema,
      generator: () => ({ ...derived, password: randomBytes(24).toString('base64url'), ...stampOf(request) }),
      derived,
      owner: this.ref,
    }
    const secret = await secrets.ensure(options)
    if (!isRotationDue(secret.value, request)) return secret
    this.event({ reason: 'Rotated', message: `the password in Secret ${secret.name} is a new one` })
    return secrets.rotate(options)
  }

  async #reconcileDatabase({ spec, server, login }: Reached, { value }: Credentials): Promise<void> {
    const wasReady = this.conditions.get('Ready')?.status === 'True'
    try {
      await this.#checkExtensions({ spec, server, login })
      const done = await this.#postgres.ensure({ server, login }, this.#wanted, value.password, this.signal)
      const { database, user, password } = value
      await this.#postgres.verify(server, { user, password, database }, this.signal)
      if (wasReady && done.length > 0) this.event({ reason: 'Corrected', message: done.join('; ') })
    } catch (error) {
      throw troubleOf(error, spec)
    }
  }

  /** An extension may give its user more than a database: beyond the trusted ones, the connection decides. */
  async #checkExtensions(reached: Reached): Promise<void> {
    const available = await this.#postgres.extensions(reached, this.spec.extensions, this.signal)
    for (const name of this.spec.extensions) {
      const extension = available.find((one) => one.name === name)
      const shown = JSON.stringify(name)
      if (!extension) {
        throw waiting('ExtensionUnavailable', `the server has no extension ${shown}`, { retryAfter: { seconds: 60 } })
      }
      if (!extension.trusted && !reached.spec.allowedExtensions.includes(name)) {
        throw waiting('ExtensionNotAllowed', `${shown} must be in spec.allowedExtensions of the connection`)
      }
    }
  }
}

function needed<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw waiting('WaitingForDependency', `${what} is not ready`)
  return value
}
