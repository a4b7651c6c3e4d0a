// The schema of a CustomResourceDefinition, field by field.

import type { JsonSchema } from '@homeostat/schema'
import {
  bytes,
  embedded,
  flag,
  int32,
  int64,
  listByKey,
  listOf,
  nullableTime,
  requiredFlag,
  requiredText,
  struct,
  text,
} from '../field.ts'

/** `openAPIV3Schema` is the schema of schemas. */
export function definitionSchema(openAPIV3Schema: JsonSchema): JsonSchema {
  const names = struct(
    {
      categories: listOf(requiredText),
      kind: requiredText,
      listKind: text,
      plural: requiredText,
      shortNames: listOf(requiredText),
      singular: text,
    },
    ['plural', 'kind'],
  )
  const printerColumn = struct(
    {
      description: text,
      format: text,
      jsonPath: requiredText,
      name: requiredText,
      priority: int32,
      type: requiredText,
    },
    ['name', 'type', 'jsonPath'],
  )
  const scale = struct({ labelSelectorPath: text, specReplicasPath: requiredText, statusReplicasPath: requiredText }, [
    'specReplicasPath',
    'statusReplicasPath',
  ])
  const version = struct(
    {
      additionalPrinterColumns: listOf(printerColumn),
      deprecated: flag,
      deprecationWarning: text,
      name: requiredText,
      schema: struct({ openAPIV3Schema }),
      selectableFields: listOf(struct({ jsonPath: requiredText }, ['jsonPath'])),
      served: requiredFlag,
      storage: requiredFlag,
      subresources: struct({ scale, status: struct({}) }),
    },
    ['name', 'served', 'storage'],
  )
  const service = struct({ name: requiredText, namespace: requiredText, path: text, port: int32 }, [
    'namespace',
    'name',
  ])
  const webhook = struct(
    {
      clientConfig: struct({ caBundle: bytes, service, url: text }),
      conversionReviewVersions: listOf(requiredText),
    },
    ['conversionReviewVersions'],
  )
  const condition = struct(
    {
      lastTransitionTime: nullableTime,
      message: text,
      observedGeneration: int64,
      reason: text,
      status: requiredText,
      type: requiredText,
    },
    ['type', 'status'],
  )
  return struct(
    {
      spec: embedded(
        struct(
          {
            conversion: struct({ strategy: requiredText, webhook }, ['strategy']),
            group: requiredText,
            names: embedded(names),
            preserveUnknownFields: flag,
            scope: requiredText,
            versions: listOf(version),
          },
          ['group', 'names', 'scope', 'versions'],
        ),
      ),
      status: embedded(
        struct({
          acceptedNames: embedded(names),
          conditions: { ...listByKey(condition, 'type', false), nullable: true },
          observedGeneration: int64,
          storedVersions: { ...listOf(requiredText), nullable: true },
        }),
      ),
    },
    ['spec'],
  )
}
