// A control plane with the homelab's operator, for tests on real systems.

import type { LooseObject } from '@homeostat/client'
import { type TestEnv, testEnv } from '@homeostat/testing'
import type { Postgres } from '../programs/postgres.ts'
import { customResources } from '../src/custom-resources/custom-resources.ts'
import { GROUP } from '../src/group.ts'

export interface Lab {
  readonly env: TestEnv
}

export async function lab(): Promise<Lab> {
  const env = await testEnv()
  await env.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'homelab' } })
  await env.run(customResources, { name: 'homelab' }).ready
  return { env }
}

/** `Ready: 'True Ready'` */
export function conditionsOf(object: LooseObject): Record<string, string> {
  const all = object.status?.conditions ?? []
  return Object.fromEntries(all.map(({ type, status, reason }) => [type, `${status} ${reason}`]))
}

const place = (name: string) => ({ name, namespace: 'homelab' })

export function connectionTo({ host, port, admin }: Pick<Postgres, 'host' | 'port' | 'admin'>, spec: object = {}) {
  return [
    { apiVersion: 'v1', kind: 'Secret', metadata: place('db-admin'), stringData: admin },
    {
      apiVersion: `${GROUP}/v1`,
      kind: 'PostgresConnection',
      metadata: place('db'),
      spec: { host, port, credentials: { secret: 'db-admin' }, ...spec },
    },
  ]
}

export async function secretValues(env: TestEnv, name: string): Promise<Record<string, string>> {
  const { data = {} } = await env.client.resource('v1', 'Secret').get(place(name))
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]))
}
