// Ready when the server answers and the login may create databases and roles.

import { CustomResource, SecretService, waiting } from '@homeostat/operator'
import { durationMs } from '../../fields.ts'
import { PostgresService } from '../../postgres/postgres-service.ts'
import { troubleOf } from '../../postgres/trouble.ts'
import {
  type postgresConnectionSpecSchema,
  type postgresConnectionStatusSchema,
  postgresLoginSchema,
} from './postgres-connection.schemas.ts'

export class PostgresConnectionResource extends CustomResource<
  typeof postgresConnectionSpecSchema,
  typeof postgresConnectionStatusSchema
> {
  /** Has the cache of Secrets synced before the first reconcile. */
  readonly #secret = this.#secretOf(this.spec.credentials.secret)

  async reconcile() {
    const { credentials, database, checkEvery } = this.spec
    const place = { name: credentials.secret, namespace: this.namespace }
    const { current } = this.#secret.current.name === place.name ? this.#secret : this.#secretOf(place.name)
    if (!current.exists) throw waiting('MissingSecret', `Secret ${place.namespace}/${place.name} not found`)
    const login = current.value
    if (!login) throw waiting('InvalidSecret', `Secret ${place.name} does not fit: ${current.problems.join(', ')}`)
    const admin = { server: this.spec, login: { ...login, database } }
    const checked = await this.services
      .get(PostgresService)
      .check(admin, this.signal)
      .catch((error: unknown) => {
        throw troubleOf(error, this.spec)
      })
    await this.patchStatus({ version: checked.version })
    if (!checked.canManage) {
      throw waiting('MissingRights', `the role of Secret ${place.name} needs CREATEDB and CREATEROLE`, {
        retryAfter: { seconds: 60 },
      })
    }
    return { requeueAfter: { milliseconds: durationMs(checkEvery) } }
  }

  #secretOf(name: string) {
    const { namespace } = this
    return this.services.get(SecretService).get({ name, namespace, schema: postgresLoginSchema })
  }
}
