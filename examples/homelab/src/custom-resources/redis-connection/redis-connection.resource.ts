// Ready when the server answers to the login.

import { CustomResource, SecretService, waiting } from '@homeostat/operator'
import { durationMs } from '../../fields.ts'
import { pingRedis, RedisRefusal } from '../../redis/ping.ts'
import {
  type redisConnectionSpecSchema,
  type redisConnectionStatusSchema,
  redisLoginSchema,
} from './redis-connection.schemas.ts'

export class RedisConnectionResource extends CustomResource<
  typeof redisConnectionSpecSchema,
  typeof redisConnectionStatusSchema
> {
  /** Has the cache of Secrets synced before the first reconcile. */
  readonly secret = this.#secretOf(this.spec.credentials?.secret ?? this.name)

  async reconcile() {
    const { host, port, checkEvery } = this.spec
    try {
      await this.patchStatus({ version: await pingRedis({ host, port, ...this.#login() }, this.signal) })
    } catch (error) {
      const why = error as { code?: string; message?: string; reason?: string }
      if (why.reason !== undefined) throw error
      const text = `Redis at ${host}:${port}: ${why.message || why.code}`
      const refused = error instanceof RedisRefusal
      throw waiting(refused ? 'LoginRefused' : 'Unreachable', text, { retryAfter: { seconds: refused ? 60 : 5 } })
    }
    return { requeueAfter: { milliseconds: durationMs(checkEvery) } }
  }

  #login(): { user?: string | undefined; password?: string } {
    const name = this.spec.credentials?.secret
    if (name === undefined) return {}
    const { exists, value } = this.#secretOf(name).current
    if (value) return value
    throw waiting(
      exists ? 'InvalidSecret' : 'MissingSecret',
      `Secret ${this.namespace}/${name} with a password is needed`,
    )
  }

  #secretOf(name: string) {
    const { namespace } = this
    return this.services.get(SecretService).get({ name, namespace, schema: redisLoginSchema })
  }
}
