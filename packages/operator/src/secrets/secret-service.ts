// Secrets for the class style: references with listeners, and values that are generated once. Every write goes through
// `writeSecret`, which never replaces an existing value; only `rotate` does.

import type { z } from 'zod'
import { ResourceService } from '../resources/resource-service.ts'
import { currentScope, outOfScope } from '../resources/scope.ts'
import type { Services } from '../resources/services.ts'
import type { Cluster } from '../runtime/cluster.ts'
import { refuseForeignOwner } from '../runtime/owner-scope.ts'
import { type EnsureSecretOptions, ensureSecret, rotateSecret } from './ensure-secret.ts'
import type { EnsuredSecret } from './ensured-secret.ts'
import { SecretHandle } from './secret-handle.ts'
import { type SecretName, type SecretObject, secretRef } from './secret-object.ts'
import { SecretReference } from './secret-reference.ts'
import type { SecretSchema, SecretValues } from './secret-values.ts'

export class SecretService {
  readonly #services: Services

  constructor(services: Services) {
    this.#services = services
  }

  /** A reference to a Secret, which may not exist. A schema types its values and checks them when they are read. */
  get(name: SecretName): SecretReference<SecretValues>
  get<S extends SecretSchema>(name: SecretName & { readonly schema: S }): SecretReference<z.output<S>>
  get<S extends SecretSchema>(name: SecretName & { readonly schema?: S }): SecretReference<unknown> {
    const resource = this.#services.get(ResourceService).of<SecretObject>(secretRef(name))
    return new SecretReference(new SecretHandle(resource, this.#cluster, name.schema), resource)
  }

  /** The values of a Secret, generated once. A change of it queues the object. See `ensureSecret`. */
  ensure<S extends SecretSchema>(options: EnsureSecretOptions<S>): Promise<EnsuredSecret<z.output<S>>> {
    return ensureSecret(this.#cluster, this.#tracked(options))
  }

  /** Replaces existing values. The caller must notify the users of the old ones. */
  rotate<S extends SecretSchema>(options: EnsureSecretOptions<S>): Promise<EnsuredSecret<z.output<S>>> {
    return rotateSecret(this.#cluster, this.#tracked(options))
  }

  get #cluster(): Cluster {
    return this.#services.cluster
  }

  #tracked<S extends SecretSchema>(options: EnsureSecretOptions<S>): EnsureSecretOptions<S> {
    const scope = currentScope()
    if (scope?.run && options.owner) refuseForeignOwner(scope.run.object, secretRef(options), [options.owner])
    outOfScope(() => this.#cluster.informer('v1', 'Secret'))
    scope?.saw(secretRef(options))
    return { signal: scope?.run?.signal, ...options }
  }
}
