// What both styles make of an author's schemas and functions: the definition with all its versions, and what the kind answers
// to the API server. `operator()` and `createCustomResourceDefinition()` call it.

import { type CustomResourceDefinition, describeDefinition } from '../definition/definition-manifest.ts'
import type { KindNames } from '../definition/kind-names.ts'
import type { KindWebhooks } from '../runtime/kind-webhooks.ts'
import { type AdmissionFunctions, admissionWebhooks } from './admission.ts'
import type { ResourceScope, SpecSchema, StatusSchema } from './custom-resource-types.ts'
import { withInventory } from './inventory-schema.ts'
import { converter, type OlderVersion } from './older-version.ts'

export interface KindParts<TSpec extends SpecSchema> extends AdmissionFunctions<TSpec> {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly names: KindNames | undefined
  readonly scope: ResourceScope
  readonly spec: TSpec
  readonly status: StatusSchema
  /** From the newest to the oldest. */
  readonly versions: Readonly<Record<string, OlderVersion>> | undefined
}

export interface DescribedKind {
  readonly manifest: CustomResourceDefinition
  /** For the log of the program. */
  readonly warnings: readonly string[]
  /** Empty, or what the API server asks. */
  readonly answers: { readonly webhooks?: KindWebhooks }
}

export function describeKind<TSpec extends SpecSchema>(parts: KindParts<TSpec>): DescribedKind {
  const { group, version, kind, names, scope, spec, versions = {} } = parts
  const status = parts.status && withInventory(parts.status, kind)
  const described = { group, version, kind, names, scope, spec, status }
  const { manifest, warnings } = describeDefinition(described)
  for (const [name, older] of Object.entries(versions)) {
    const one = describeDefinition({ ...described, version: name, spec: older.spec, status: older.status ?? status })
    const deprecated = older.deprecated && { deprecated: true }
    manifest.spec.versions.push(
      ...one.manifest.spec.versions.map((made) => ({ ...made, ...deprecated, storage: false })),
    )
  }
  const webhooks = {
    ...admissionWebhooks(spec, parts),
    ...(Object.keys(versions).length > 0 && { convert: converter(group, version, versions) }),
  }
  return { manifest, warnings, answers: Object.keys(webhooks).length > 0 ? { webhooks } : {} }
}
