// A handle on one Secret with its values as plain text. It only writes values that are missing. Values are behind
// getters, so that a log line that includes this object does not show them.

import type { OwnerReference } from '@homeostat/meta'
import type { z } from 'zod'
import type { Patched, Resource } from '../resources/resource.ts'
import { currentScope } from '../resources/scope.ts'
import { refuseForeignOwner } from '../runtime/owner-scope.ts'
import { type SecretCluster, type SecretObject, secretRef } from './secret-object.ts'
import {
  decodeValues,
  missingValues,
  parseValues,
  type SecretSchema,
  type SecretValues,
  textValues,
} from './secret-values.ts'
import { writeSecret } from './write-secret.ts'

/** Values as plain text; the handle encodes them. */
export interface SecretBody {
  readonly apiVersion?: 'v1'
  readonly kind?: 'Secret'
  readonly metadata?: {
    readonly name?: string
    readonly namespace?: string
    readonly ownerReferences?: readonly OwnerReference[]
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly type?: string
  readonly data: SecretValues
}

export class SecretHandle<V> {
  readonly name: string
  readonly namespace: string
  readonly #resource: Resource<SecretObject>
  readonly #cluster: SecretCluster
  readonly #schema: SecretSchema | undefined
  /** The response to the last write, for a filtered cache that does not hold the Secret. */
  #written: SecretObject | undefined

  constructor(resource: Resource<SecretObject>, cluster: SecretCluster, schema: SecretSchema | undefined) {
    this.name = resource.name
    this.namespace = resource.namespace ?? ''
    this.#resource = resource
    this.#cluster = cluster
    this.#schema = schema
  }

  get exists(): boolean {
    return this.#resource.exists
  }

  /** Undefined when the Secret does not exist, or its values do not fit the schema. */
  get value(): V | undefined {
    const parsed = this.#parsed
    return parsed && 'value' in parsed ? (parsed.value as V) : undefined
  }

  /** The keys that do not fit the schema, and why. Empty when all do, or when there is no Secret. */
  get problems(): readonly string[] {
    const parsed = this.#parsed
    return parsed && 'problems' in parsed ? parsed.problems : []
  }

  /**
   * Creates the Secret, or adds missing keys. An existing value is never replaced: the server is read before anything
   * is written. Owners and labels apply to a new Secret only.
   */
  async patch(body: SecretBody): Promise<Patched> {
    const { metadata = {}, type } = body
    const wanted = textValues(body.data, `The values for Secret ${this.namespace}/${this.name}`)
    const decide = async (live: SecretObject | undefined) => {
      const missing = missingValues(decodeValues(live?.data), wanted)
      return live && Object.keys(missing).length === 0 ? undefined : missing
    }
    const { labels, annotations, ownerReferences } = metadata
    const run = currentScope()?.run
    if (run) refuseForeignOwner(run.object, secretRef(this), ownerReferences)
    const traits = { owners: ownerReferences, labels, annotations, type }
    const { secret, changed } = await writeSecret(this.#cluster, this, decide, traits)
    this.#written = this.exists ? undefined : secret
    return { changed }
  }

  get #parsed(): { readonly value: unknown } | { readonly problems: readonly string[] } | undefined {
    const secret = this.#resource.live ?? this.#written
    if (!secret) return undefined
    const values = decodeValues(secret.data)
    const parsed = this.#schema ? parseValues<z.ZodObject>(this.#schema, values) : { value: values }
    return parsed
  }
}
