// What a Database becomes: a PostgresDatabase in a server that exists, or a PostgreSQL of its own, as a process of this machine or
// as a container. Pure.

import type { ApiObject } from '@homeostat/client'
import type { Unit } from '@homeostat/runtimes'
import { type Fields, listOf, numberOf, type Resource, textOf } from '../resource.ts'
import type { Read } from '../unused-fields.ts'

/** What a server of its own acts on; an existing one needs neither version nor runtime. */
export const OWN_FIELDS: Read = {
  engine: true,
  version: true,
  runtime: true,
  image: true,
  extensions: true,
  deletionPolicy: true,
}
export const CONNECTION_FIELDS: Read = { engine: true, connection: true, extensions: true, deletionPolicy: true }

export type DatabaseRuntime = 'local' | 'docker'

export function databaseProblems({
  engine,
  version,
  runtime,
  connection,
  deletionPolicy,
  extensions,
}: Fields): string[] {
  const problems: string[] = []
  if (engine !== 'postgresql')
    problems.push(`spec.engine: ${JSON.stringify(engine)} is not "postgresql", which is the one that is built`)
  if (connection !== undefined && textOf(connection) === undefined)
    problems.push('spec.connection: a PostgresConnection, as NAMESPACE/NAME')
  if (runtime !== undefined && runtime !== 'local' && runtime !== 'docker')
    problems.push(`spec.runtime: ${JSON.stringify(runtime)} is neither "local" nor "docker"`)
  if (!/^\d+(\.\d+)*$/.test(String(version)))
    problems.push(`spec.version: ${JSON.stringify(version)} is no version such as "17"`)
  if (deletionPolicy !== undefined && deletionPolicy !== 'Retain' && deletionPolicy !== 'Delete')
    problems.push(`spec.deletionPolicy: ${JSON.stringify(deletionPolicy)} is neither "Retain" nor "Delete"`)
  if (!listOf(extensions).every((name) => textOf(name) !== undefined)) problems.push('spec.extensions: a list of names')
  return problems
}

export function keepsData({ deletionPolicy }: Fields): boolean {
  return deletionPolicy !== 'Delete'
}

export interface PostgresDatabase extends ApiObject {
  readonly spec: Fields
  readonly status?: Fields
}

/** For the operator of examples/homelab. */
export function postgresDatabase({ name, namespace, spec }: Resource): PostgresDatabase {
  return {
    apiVersion: 'homelab.mortenolsen.pro/v1',
    kind: 'PostgresDatabase',
    metadata: { name, namespace },
    spec: {
      connection: String(spec.connection),
      extensions: listOf(spec.extensions),
      deletionPolicy: keepsData(spec) ? 'Retain' : 'Delete',
    },
  }
}

export interface EngineUnit {
  readonly unitName: string
  /** Of the data; the folder of the server's own password is beside it. */
  readonly data: string
  readonly passwordFile: string
  readonly port: number
  readonly labels: Readonly<Record<string, string>>
}

/** `prefix`: what runs a command as another user, where the controller is root: PostgreSQL refuses to be root. */
export function processUnit(
  { unitName, data, port, labels }: EngineUnit,
  postgres: string,
  prefix: readonly string[],
): Unit {
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', password_encryption: 'scram-sha-256' }
  const args = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])
  return {
    name: unitName,
    labels,
    command: [...prefix, postgres, '-D', data, '-p', String(port), ...args],
    env: { LC_ALL: 'C', PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
  }
}

export function containerUnit(
  { unitName, data, passwordFile, port, labels }: EngineUnit,
  { image, version }: Fields,
): Unit {
  return {
    name: unitName,
    labels,
    image: textOf(image) ?? `postgres:${String(version)}`,
    env: {
      POSTGRES_PASSWORD_FILE: '/run/homeostat-password',
      POSTGRES_INITDB_ARGS: '--auth-host=scram-sha-256 --encoding=UTF8 --locale=C',
      // Below the folder that is mounted: images differ in where they put it.
      PGDATA: '/var/lib/homeostat/data',
    },
    mounts: [
      { source: data, target: '/var/lib/homeostat' },
      { source: passwordFile, target: '/run/homeostat-password', readOnly: true },
    ],
    ports: [{ containerPort: 5432, hostPort: port }],
  }
}

/** `17` is served by 17.4, `17.4` by nothing else. */
export function servesVersion(installed: string, wanted: string): boolean {
  return installed === wanted || installed.startsWith(`${wanted}.`)
}

/** Of an existing server: what its PostgresDatabase says. */
export function connectionStatus(child: PostgresDatabase | undefined): Fields {
  const status = child?.status ?? {}
  const ready = listOf(status.conditions).find((one) => (one as Fields).type === 'Ready') as Fields | undefined
  const isReady = ready?.status === 'True'
  return {
    phase: isReady ? 'Running' : 'Pending',
    ...(textOf(status.secret) !== undefined && { secret: status.secret }),
    ...(textOf(status.database) !== undefined && { database: status.database }),
    ...(!isReady && {
      message:
        textOf(ready?.message) ?? 'its PostgresDatabase is not ready yet; the operator of examples/homelab makes it',
    }),
  }
}

export function formerPort(status: Fields): number | undefined {
  return numberOf(status.port)
}
