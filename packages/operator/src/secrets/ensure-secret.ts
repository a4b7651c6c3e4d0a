// A Secret whose values are generated once and kept for as long as it exists: neither a restart, a lost cache, another
// owner nor a second replica generates new ones. Only `rotateSecret` replaces them.

import type { OwnerReference } from '@homeostat/meta'
import type { z } from 'zod'
import { shownRef } from '../runtime/object-key.ts'
import { waiting } from '../runtime/outcome.ts'
import { EnsuredSecret } from './ensured-secret.ts'
import {
  type SecretCluster,
  type SecretName,
  type SecretObject,
  type SecretTraits,
  secretRef,
} from './secret-object.ts'
import {
  decodeValues,
  missingValues,
  parseValues,
  type SecretSchema,
  type SecretValues,
  textValues,
} from './secret-values.ts'
import { writeSecret } from './write-secret.ts'

export interface EnsureSecretOptions<S extends SecretSchema> extends SecretName, Omit<SecretTraits, 'owners'> {
  /** Owner of a new Secret, which is deleted with it. An existing Secret keeps its owners. */
  readonly owner?: OwnerReference | undefined
  readonly schema: S
  /** Generates values. Called only when one is missing; only the missing ones are used. */
  readonly generator: () => z.input<S> | Promise<z.input<S>>
  /**
   * Values that follow something else, such as the address of a server: they replace what is stored whenever that
   * differs. Their keys are not generated.
   */
  readonly derived?: SecretValues | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Returns the Secret's values and generates them if they are missing. Concurrent callers get the values of the first
 * writer. Existing values that do not fit the schema are left alone and end the reconcile as `waiting`.
 */
export async function ensureSecret<S extends SecretSchema>(
  cluster: SecretCluster,
  options: EnsureSecretOptions<S>,
  /** The Secret as the caller just read it. Default: it is read. */
  known?: { readonly cached: SecretObject | undefined },
): Promise<EnsuredSecret<z.output<S>>> {
  const { schema, signal, derived = {} } = options
  const isCurrent = (values: SecretValues) =>
    'value' in parseValues(schema, values) && Object.entries(derived).every(([key, value]) => values[key] === value)
  const { cached } = known ?? { cached: await cluster.read<SecretObject>(secretRef(options), signal) }
  if (cached && isCurrent(decodeValues(cached.data))) return ensured(options, cached, false)
  let generated: SecretValues | undefined
  const decide = async (live: SecretObject | undefined) => {
    const existing = decodeValues(live?.data)
    if (live && isCurrent(existing)) return undefined
    // Only derived values may have changed: the generator is not called then.
    const isComplete = live && 'value' in parseValues(schema, { ...existing, ...derived })
    if (!isComplete) generated ??= await generate(options)
    const values = { ...missingValues(existing, generated ?? {}), ...derived }
    refuseInvalid(options, { ...existing, ...values })
    return values
  }
  const { secret, changed } = await writeSecret(cluster, options, decide, traitsOf(options))
  return ensured(options, secret, changed)
}

/** Replaces the values by newly generated ones; other keys stay. Creates the Secret if it is missing. */
export async function rotateSecret<S extends SecretSchema>(
  cluster: SecretCluster,
  options: EnsureSecretOptions<S>,
): Promise<EnsuredSecret<z.output<S>>> {
  const generated = await generate(options)
  const decide = async (live: SecretObject | undefined) => {
    refuseInvalid(options, { ...decodeValues(live?.data), ...generated })
    return generated
  }
  const { secret, changed } = await writeSecret(cluster, options, decide, traitsOf(options))
  return ensured(options, secret, changed)
}

function traitsOf({ owner, ...options }: EnsureSecretOptions<SecretSchema>) {
  return { ...options, owners: owner && [owner] }
}

async function generate<S extends SecretSchema>(options: EnsureSecretOptions<S>): Promise<SecretValues> {
  const of = `The generator for ${shownRef(secretRef(options))}`
  const made = (await options.generator()) as Readonly<Record<string, unknown>>
  const values = { ...textValues(made, of), ...options.derived }
  const parsed = parseValues(options.schema, values)
  if ('problems' in parsed) throw new Error(`${of} made values that its schema refuses: ${parsed.problems.join(', ')}`)
  return values
}

function refuseInvalid<S extends SecretSchema>(options: EnsureSecretOptions<S>, values: SecretValues): void {
  const parsed = parseValues(options.schema, values)
  if ('value' in parsed) return
  throw waiting(
    'InvalidSecret',
    `${shownRef(secretRef(options))} does not fit its schema: ${parsed.problems.join(', ')}. Its values are left as ` +
      'they are: correct them, delete the Secret, or rotate it',
  )
}

function ensured<S extends SecretSchema>(
  options: EnsureSecretOptions<S>,
  secret: SecretObject,
  changed: boolean,
): EnsuredSecret<z.output<S>> {
  const { name, namespace, schema } = options
  const values = decodeValues(secret.data)
  const parsed = parseValues(schema, values)
  if ('problems' in parsed) throw new Error(`${shownRef(secretRef(options))} was changed while it was read`)
  return new EnsuredSecret({ name, namespace, uid: secret.metadata.uid ?? '', changed }, parsed.value, values)
}
