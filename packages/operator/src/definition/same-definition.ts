// Compares a definition with the one on the server, ignoring what servers fill in or leave out, so that a restart
// writes nothing.

import { deepEqual } from '@homeostat/meta'
import { decodedBundle, encodedBundle, joinedBundle } from '../runtime/ca-bundle.ts'
import type { CustomResourceDefinition } from './definition-manifest.ts'

/**
 * The definition to send: fields of `found` that the manifest lacks stay, unless `manager` wrote them. So do the authorities of
 * replicas that convert behind the same Service.
 */
export function withManifest(
  found: CustomResourceDefinition,
  manifest: CustomResourceDefinition,
  manager: string,
): CustomResourceDefinition {
  const conversion = withAuthorities(
    found.spec.conversion as Conversion | undefined,
    manifest.spec.conversion as Conversion | undefined,
  )
  const texts = (field: 'labels' | 'annotations') => {
    const owned = ownedKeys(found, manager, field)
    const left = Object.entries(found.metadata[field] ?? {}).filter(([key]) => !owned.has(key))
    const all = { ...Object.fromEntries(left), ...manifest.metadata[field] }
    return found.metadata[field] === undefined && Object.keys(all).length === 0 ? {} : { [field]: all }
  }
  return {
    ...found,
    metadata: { ...found.metadata, ...texts('labels'), ...texts('annotations') },
    spec: { ...manifest.spec, ...(conversion !== undefined && { conversion }) },
  }
}

/** Any other conversion has no Service either. */
interface Conversion {
  readonly webhook?: { readonly clientConfig?: { readonly service?: ServiceName; readonly caBundle?: string } }
}

interface ServiceName {
  readonly namespace: string
  readonly name: string
}

function withAuthorities(found: Conversion | undefined, wanted: Conversion | undefined): Conversion | undefined {
  if (wanted === undefined) return found
  const [there, here] = [found?.webhook?.clientConfig, wanted.webhook?.clientConfig]
  if (here?.service === undefined || there?.service === undefined) return wanted
  const isSame = here.service.namespace === there.service.namespace && here.service.name === there.service.name
  if (!isSame) return wanted
  const caBundle = encodedBundle(joinedBundle(decodedBundle(there.caBundle), decodedBundle(here.caBundle)))
  return { ...wanted, webhook: { ...wanted.webhook, clientConfig: { ...here, caBundle } } }
}

/** The labels or annotations that the manager wrote last, such as the handler of an operator that pulled before. */
function ownedKeys({ metadata }: CustomResourceDefinition, manager: string, field: string): ReadonlySet<string> {
  const entries = (metadata.managedFields ?? []) as readonly { manager?: string; fieldsV1?: Fields }[]
  const own = entries.filter((entry) => entry.manager === manager)
  const keys = own.flatMap(({ fieldsV1 }) => Object.keys(fieldsV1?.['f:metadata']?.[`f:${field}`] ?? {}))
  return new Set(keys.filter((key) => key.startsWith('f:')).map((key) => key.slice('f:'.length)))
}

interface Fields {
  readonly 'f:metadata'?: Readonly<Record<string, object>>
}

export function sameDefinition(a: CustomResourceDefinition, b: CustomResourceDefinition): boolean {
  const texts = (one: CustomResourceDefinition) => [one.metadata.labels ?? {}, one.metadata.annotations ?? {}]
  return deepEqual(texts(a), texts(b)) && deepEqual(normalSpec(a), normalSpec(b))
}

/** The spec in the form that servers return. */
export function normalSpec({ spec }: CustomResourceDefinition): unknown {
  const { names } = spec
  const filled = {
    ...spec,
    names: {
      ...names,
      singular: names.singular ?? names.kind.toLowerCase(),
      listKind: names.listKind ?? `${names.kind}List`,
    },
    versions: spec.versions.map(({ schema, ...version }) => ({ ...spoken(version), schema })),
  }
  const { versions, ...rest } = filled
  return { ...spoken(rest), versions }
}

/**
 * Drops zeros, empty strings and empty lists, which servers do not write. Not for schemas, where a default may be 0.
 */
function spoken(fields: object): object {
  const said = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    // Servers always write `served` and `storage`; `status: {}` declares the subresource.
    if (name === 'served' || name === 'storage') return [[name, value]]
    if (value === undefined || value === null || value === false || value === 0 || value === '') return []
    if (Array.isArray(value)) return value.length === 0 ? [] : [[name, value.map(item)]]
    return [[name, typeof value === 'object' ? spoken(value) : value]]
  })
  return Object.fromEntries(said)
}

function item(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? spoken(value) : value
}
