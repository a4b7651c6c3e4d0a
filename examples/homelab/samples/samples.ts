// The objects of the example, for given servers. homelab.yaml has the same for servers of yours.

import type { ApiManifest } from '@homeostat/testing'
import type { Postgres } from '../programs/postgres.ts'
import type { Redis } from '../programs/redis.ts'
import { GROUP } from '../src/group.ts'

type Manifest = ApiManifest & { metadata: { name: string; namespace: string } }

const apiVersion = `${GROUP}/v1`
const place = (name: string) => ({ name, namespace: 'homelab' })
const secret = (name: string, stringData: object): Manifest => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: place(name),
  stringData,
})

export function samples({ postgres, redis }: { readonly postgres: Postgres; readonly redis: Redis }) {
  const secrets = [secret('db-admin', postgres.admin), secret('redis-login', { password: redis.password })]
  const connections: Manifest[] = [
    {
      apiVersion,
      kind: 'PostgresConnection',
      metadata: place('db'),
      spec: { host: postgres.host, port: postgres.port, credentials: { secret: 'db-admin' } },
    },
    {
      apiVersion,
      kind: 'RedisConnection',
      metadata: place('redis'),
      spec: { host: redis.host, port: redis.port, credentials: { secret: 'redis-login' } },
    },
  ]
  const database: Manifest = {
    apiVersion,
    kind: 'PostgresDatabase',
    metadata: place('test2'),
    spec: { connection: 'homelab/db', deletionPolicy: 'Delete' },
  }
  const domain: Manifest = {
    apiVersion,
    kind: 'Domain',
    metadata: place('homelab'),
    spec: { hostname: 'local.olsen.cloud', issuer: 'letsencrypt-prod' },
  }
  const authentik: Manifest = {
    apiVersion,
    kind: 'AuthentikServer',
    metadata: place('homelab'),
    spec: { domain: 'homelab', database: 'test2', redis: 'redis' },
  }
  return [secrets, connections, database, domain, authentik] as const
}
