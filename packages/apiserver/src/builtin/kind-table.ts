// Makes the descriptions of all built-in kinds from the table of resources, kind-traits.ts and the rules of each kind.

import { apiServiceRules } from './api-service.ts'
import type { BuiltinKind } from './builtin-kind.ts'
import { builtinColumns } from './columns/columns.ts'
import { configMapRules } from './config-map.ts'
import { defaultV1 } from './conversions/hpa-conversion.ts'
import { STORED_FORMS } from './conversions/stored-forms.ts'
import { eventRules } from './event.ts'
import { eventsApiRules } from './events-api.ts'
import { type ResourceRow, readResourceRows } from './facts/facts-files.ts'
import { objectSchema } from './facts/object-schema.ts'
import { publishedObject } from './facts/published-schema.ts'
import { CONFIDENTIAL, DEPRECATIONS, kindTraits, READ_ONLY } from './kind-traits.ts'
import { leaseRules } from './lease.ts'
import { namespaceRules } from './namespace.ts'
import { notEnforced } from './not-enforced.ts'
import { KIND_RULES } from './rules/kind-rules.ts'
import type { KindRules } from './schema-strategy.ts'
import { secretRules } from './secret.ts'
import { SELECTABLE } from './selectable-fields.ts'
import { builtinSubresources } from './subresources.ts'

const RULES: Readonly<Record<string, Partial<KindRules>>> = {
  ...KIND_RULES,
  'apiregistration.k8s.io/apiservices': apiServiceRules,
  'coordination.k8s.io/leases': leaseRules,
  'core/configmaps': configMapRules,
  'core/events': eventRules,
  'core/namespaces': namespaceRules,
  'core/secrets': secretRules,
  'events.k8s.io/events': eventsApiRules,
}

export function tableKinds(): BuiltinKind[] {
  return readResourceRows().map(kindOf)
}

function kindOf(row: ResourceRow): BuiltinKind {
  const { group = '', version } = row
  const key = `${group === '' ? 'core' : group}/${row.resource}`
  const stored = STORED_FORMS[`${key}/${version}`]
  const selectableFields = SELECTABLE[key]
  const deprecation = DEPRECATIONS[key]
  return {
    group,
    version,
    kind: row.kind,
    resource: row.resource,
    ...(row.singular !== undefined && { singular: row.singular }),
    namespaced: row.namespaced === true,
    ...(row.shortNames && { shortNames: row.shortNames }),
    ...(row.categories && { categories: row.categories }),
    ...verbsOf(key, row),
    subresources: READ_ONLY.has(key) ? { status: false } : builtinSubresources(key, row.subresources),
    columns: builtinColumns(key, row.columns ?? [], stored?.conversion),
    ...(selectableFields && { selectableFields }),
    ...(deprecation !== undefined && { deprecation }),
    ...(stored && { stored }),
    ...(CONFIDENTIAL.has(key) && { confidential: true }),
    schema: () => objectSchema(row.schema),
    openapi: () => publishedObject(row.schema),
    rules: {
      ...kindTraits(key, row.subresources?.status !== undefined),
      ...notEnforced(key),
      ...rulesOf(key, version),
    },
  }
}

function verbsOf(key: string, { verbs }: ResourceRow): { verbs?: readonly string[] } {
  if (READ_ONLY.has(key)) return { verbs: ['get', 'list', 'watch'] }
  return verbs ? { verbs } : {}
}

/** The rules of the stored version; objects of other versions are validated after conversion to it. */
function rulesOf(key: string, version: string): Partial<KindRules> | undefined {
  return key === HPA && version === 'v1' ? { applyDefaults: defaultV1 } : RULES[key]
}

const HPA = 'autoscaling/horizontalpodautoscalers'
