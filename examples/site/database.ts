import { randomBytes } from 'node:crypto'
import { operator } from '@homeostat/operator'
import { z } from 'zod'
import { site } from './site.ts'

/** The external system; its calls must be idempotent. */
interface Databases {
  ensure(name: string, password: string, options: { signal: AbortSignal }): Promise<void>
  drop(name: string, options: { signal: AbortSignal }): Promise<void>
}

export const databaseOperator = (databases: Databases) =>
  operator(
    'ex.io/v1/Database',
    { spec: z.object({ site: z.string() }), status: z.object({ url: z.string() }) },
    async (c) => {
      const { status } = await c.needs(site, c.spec.site)
      const creds = await c.secret(`${c.name}-creds`, z.object({ password: z.string() }), () => ({
        password: randomBytes(18).toString('base64url'),
      }))
      await databases.ensure(c.name, creds.value.password, { signal: c.signal })
      const settings = c.child('v1', 'ConfigMap', { data: { site: status.url ?? '', secret: creds.name } })
      return { children: [creds, settings], status: { url: `pg://${c.name}` }, requeueAfter: '1h' }
    },
    { finalize: (c) => databases.drop(c.name, { signal: c.signal }) },
  )
