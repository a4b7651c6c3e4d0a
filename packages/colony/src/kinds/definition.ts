// Builds a CustomResourceDefinition of colonies.io from the parts that differ between the kinds.

import type { KubeObject } from '@homeostat/meta'
import { DESCRIPTIONS, described } from './descriptions.ts'
import { object, type Schema } from './schema-parts.ts'

interface KindParts {
  readonly kind: string
  readonly plural: string
  readonly scope: 'Namespaced' | 'Cluster'
  readonly spec: Schema
  readonly status: Schema
  readonly columns: readonly { name: string; type: string; jsonPath: string; priority?: number }[]
  readonly selectable?: readonly string[]
  /** Older generations are not kept: there are many of them, and each is short-lived. */
  readonly withoutHistory?: boolean
}

export function coloniesKind(parts: KindParts): KubeObject {
  const { kind, plural, scope, spec, status, columns, selectable, withoutHistory = false } = parts
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.colonies.io`,
      labels: { 'app.kubernetes.io/managed-by': 'homeostat' },
      annotations: {
        'homeostat.dev/create-namespaces': 'true',
        ...(withoutHistory && { 'homeostat.dev/no-history': 'true' }),
      },
    },
    spec: {
      group: 'colonies.io',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      scope,
      // Defaults are written out, so that a start finds the stored definition equal and writes nothing.
      conversion: { strategy: 'None' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: described(object({ spec, status }, ['spec']), DESCRIPTIONS[kind] ?? {}) },
          subresources: { status: {} },
          additionalPrinterColumns: columns,
          ...(selectable && { selectableFields: selectable.map((jsonPath) => ({ jsonPath })) }),
        },
      ],
    },
  }
}

export const AGE = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }
