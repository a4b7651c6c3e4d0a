import { describe, expect, it } from 'vitest'
import type { Fields } from '../resource.ts'
import {
  connectionStatus,
  containerUnit,
  databaseProblems,
  postgresDatabase,
  processUnit,
  servesVersion,
} from './database-plan.ts'

const spec = { engine: 'postgresql', version: '17', size: '10Gi' }
const unit = { unitName: 'u', data: '/d/data', passwordFile: '/d/password', port: 5433, labels: { a: 'b' } }

describe('a Database', () => {
  it.each([
    [{ engine: 'mysql' }, 'spec.engine: "mysql" is not "postgresql"'],
    [{ version: 'latest' }, 'spec.version: "latest" is no version'],
    [{ version: undefined }, 'spec.version'],
    [{ runtime: 'kubernetes' }, 'spec.runtime: "kubernetes" is neither "local" nor "docker"'],
    [{ connection: '' }, 'spec.connection'],
    [{ deletionPolicy: 'Keep' }, 'spec.deletionPolicy: "Keep"'],
    [{ extensions: ['pgcrypto', ''] }, 'spec.extensions'],
  ])('with %j says which field is wrong', (fields, message) => {
    expect(databaseProblems({ ...spec, ...fields })).toEqual([expect.stringContaining(message)])
    expect(databaseProblems(spec)).toEqual([])
  })

  it('over a server that exists is a PostgresDatabase, whose data stays unless told otherwise', () => {
    const resource = { name: 'users', namespace: 'dev', uid: 'u', generation: 1, isDeleting: false, status: {} }
    const over = (more: object) =>
      postgresDatabase({ ...resource, spec: { ...spec, connection: 'home/pg', ...more } }).spec
    expect(over({})).toEqual({ connection: 'home/pg', extensions: [], deletionPolicy: 'Retain' })
    expect(over({ deletionPolicy: 'Delete', extensions: ['pgcrypto'] })).toMatchObject({
      extensions: ['pgcrypto'],
      deletionPolicy: 'Delete',
    })
  })

  it('says what its PostgresDatabase says', () => {
    const child = (status: Fields) => ({
      apiVersion: 'v1',
      kind: 'PostgresDatabase',
      metadata: { name: 'users' },
      spec: {},
      status,
    })
    const ready = (status: string) => [{ type: 'Ready', status, message: 'why' }]
    expect(connectionStatus(undefined)).toMatchObject({ phase: 'Pending', message: expect.stringContaining('homelab') })
    expect(connectionStatus(child({ conditions: ready('False') }))).toEqual({ phase: 'Pending', message: 'why' })
    expect(connectionStatus(child({ conditions: ready('True'), secret: 's', database: 'd' }))).toEqual({
      phase: 'Running',
      secret: 's',
      database: 'd',
    })
  })

  it('of its own is a process that listens on loopback alone, as another user where it must', () => {
    const { command } = processUnit(unit, '/pg/postgres', ['setpriv', '--'])
    expect(command?.slice(0, 7)).toEqual(['setpriv', '--', '/pg/postgres', '-D', '/d/data', '-p', '5433'])
    expect(command).toContain('listen_addresses=127.0.0.1')
  })

  it('of its own is a container whose password is in a file, published on loopback', () => {
    const made = containerUnit(unit, spec)
    expect(made).toMatchObject({
      image: 'postgres:17',
      env: { POSTGRES_PASSWORD_FILE: '/run/homeostat-password', PGDATA: '/var/lib/homeostat/data' },
      ports: [{ containerPort: 5432, hostPort: 5433 }],
    })
    expect(made.mounts?.map(({ target }) => target)).toEqual(['/var/lib/homeostat', '/run/homeostat-password'])
    expect(containerUnit(unit, { ...spec, image: 'registry.example/pg:17' }).image).toBe('registry.example/pg:17')
  })

  it.each([
    ['17.4', '17', true],
    ['17.4', '17.4', true],
    ['17.4', '17.40', false],
    ['17.4', '1', false],
  ])('of an installed %s serves %s: %s', (installed, wanted, serves) => {
    expect(servesVersion(installed, wanted)).toBe(serves)
  })
})
