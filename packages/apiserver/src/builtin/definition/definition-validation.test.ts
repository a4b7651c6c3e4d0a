import type { Cause } from '@homeostat/meta/server'
import { describe, expect, it } from 'vitest'
import type { Definition } from './definition.ts'
import { validateDefinition, validateDefinitionUpdate } from './definition-validation.ts'
import { sampleDefinition, sampleVersion } from './sample-definition.ts'
import { SchemaChecks } from './schema-check.ts'

type Row = [what: string, definition: Definition, wrong: string[]]

const names = { plural: 'apps', singular: 'app', kind: 'App', listKind: 'AppList' }
const noType = { openAPIV3Schema: { type: 'object', properties: { spec: { properties: {} } } } }
const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
const column = { name: 'Size', type: 'string', jsonPath: '.spec.size' }

function withVersion(more: Parameters<typeof sampleVersion>[1]): Definition {
  return sampleDefinition({ versions: [sampleVersion('v1', more)] })
}

function withoutSchema(): Definition {
  const { schema: _, ...version } = sampleVersion('v1')
  return sampleDefinition({ versions: [version] })
}

function storing(definition: Definition, storedVersions: string[]): Definition {
  return { ...definition, status: { ...definition.status, storedVersions } }
}

const rows: Row[] = [
  ['a good definition', sampleDefinition(), []],
  ['another name', sampleDefinition({}, { name: 'wrong.example.com' }), ['Invalid metadata.name']],
  ['no group', sampleDefinition({ group: '' }, { name: 'apps.' }), ['Required spec.group']],
  ['a group without a dot', sampleDefinition({ group: 'example' }, { name: 'apps.example' }), ['Invalid spec.group']],
  ['a bad group', sampleDefinition({ group: 'Ex.com' }, { name: 'apps.Ex.com' }), ['Invalid spec.group']],
  ['another scope', sampleDefinition({ scope: 'Galaxy' }), ['NotSupported spec.scope']],
  ['no scope', sampleDefinition({ scope: '' }), ['Required spec.scope']],
  [
    'no storage version',
    storing(withVersion({ storage: false }), []),
    ['Invalid spec.versions', 'Invalid status.storedVersions'],
  ],
  [
    'more versions than anybody serves',
    sampleDefinition({
      versions: Array.from({ length: 101 }, (_, i) => sampleVersion(`v${i + 1}`, { storage: i === 0 })),
    }),
    ['TooMany spec.versions'],
  ],
  [
    'two storage versions',
    sampleDefinition({ versions: [sampleVersion('v1'), sampleVersion('v2')] }),
    ['Invalid spec.versions', 'Invalid status.storedVersions'],
  ],
  [
    'a version twice',
    sampleDefinition({ versions: [sampleVersion('v1'), sampleVersion('v1', { storage: false })] }),
    ['Invalid spec.versions'],
  ],
  [
    'a bad version name',
    storing(sampleDefinition({ versions: [sampleVersion('1.0')] }), ['1.0']),
    ['Invalid spec.versions[0].name', 'Invalid spec.version'],
  ],
  ['no schema', withoutSchema(), ['Required spec.versions[0].schema.openAPIV3Schema']],
  [
    'a schema without a type',
    withVersion({ schema: noType }),
    ['Required spec.validation.openAPIV3Schema.properties[spec].type'],
  ],
  [
    'a schema without a type in one of two versions',
    sampleDefinition({ versions: [sampleVersion('v1'), sampleVersion('v2', { storage: false, schema: noType })] }),
    ['Required spec.versions[1].schema.openAPIV3Schema.properties[spec].type'],
  ],
  [
    'missing names',
    sampleDefinition({ names: { plural: 'apps', kind: '' } }),
    ['Required spec.names.singular', 'Required spec.names.kind', 'Required spec.names.listKind'],
  ],
  [
    'bad names',
    sampleDefinition({ names: { ...names, singular: 'App', listKind: 'App List', shortNames: ['ok', '1st'] } }),
    ['Invalid spec.names.singular', 'Invalid spec.names.listKind', 'Invalid spec.names.shortNames[1]'],
  ],
  [
    'a list kind that is the kind',
    sampleDefinition({ names: { ...names, listKind: 'App' } }),
    ['Invalid spec.names.listKind'],
  ],
  [
    'a bad category',
    sampleDefinition({ names: { ...names, categories: ['All!'] } }),
    ['Invalid spec.names.categories[0]'],
  ],
  [
    'scale paths elsewhere',
    withVersion({ subresources: { scale: { ...scale, specReplicasPath: '.status.n', statusReplicasPath: 'x' } } }),
    ['Invalid spec.subresources.scale.specReplicasPath', 'Invalid spec.subresources.scale.statusReplicasPath'],
  ],
  [
    'a bad selector path',
    withVersion({ subresources: { scale: { ...scale, labelSelectorPath: '.metadata.x' } } }),
    ['Invalid spec.subresources.scale.labelSelectorPath'],
  ],
  [
    'a missing scale path in one of two versions',
    sampleDefinition({
      versions: [
        sampleVersion('v1'),
        sampleVersion('v2', { storage: false, subresources: { scale: { ...scale, statusReplicasPath: '' } } }),
      ],
    }),
    ['Required spec.versions[1].subresources.scale.statusReplicasPath'],
  ],
  [
    'a column of no type',
    withVersion({ additionalPrinterColumns: [{ ...column, type: '' }] }),
    ['Required spec.additionalPrinterColumns[0].type'],
  ],
  [
    'a bad column',
    withVersion({ additionalPrinterColumns: [{ name: '', type: 'text', format: 'x', jsonPath: 'spec' }] }),
    ['Required .name', 'Invalid .type', 'Invalid .format', 'Invalid .JSONPath'].map((text) =>
      text.replace(' ', ' spec.additionalPrinterColumns[0]'),
    ),
  ],
  [
    'a deprecation text without deprecation',
    withVersion({ deprecationWarning: 'use v2' }),
    ['Invalid spec.versions[0].deprecationWarning'],
  ],
  [
    'a deprecation text of two lines',
    withVersion({ deprecated: true, deprecationWarning: 'use\nv2' }),
    ['Invalid spec.versions[0].deprecationWarning'],
  ],
  [
    'a conversion webhook that cannot be reached',
    sampleDefinition({ conversion: { strategy: 'Webhook' } }),
    ['Required spec.conversion.webhookClientConfig', 'Required spec.conversion.conversionReviewVersions'],
  ],
  [
    'another conversion',
    sampleDefinition({ conversion: { strategy: 'Magic' } }),
    ['NotSupported spec.conversion.strategy'],
  ],
  [
    'an empty category',
    sampleDefinition({ names: { ...sampleDefinition().spec.names, categories: ['all', ''] } }),
    ['Invalid spec.names.categories[1]'],
  ],
  [
    'a webhook that is not used',
    sampleDefinition({ conversion: { strategy: 'None', webhook: {} } }),
    ['Forbidden spec.conversion.webhookClientConfig', 'Forbidden spec.conversion.conversionReviewVersions'],
  ],
  ['unknown fields', sampleDefinition({ preserveUnknownFields: true }), ['Invalid spec.preserveUnknownFields']],
  [
    'a protected group',
    sampleDefinition({ group: 'x.k8s.io' }, { name: 'apps.x.k8s.io' }),
    ['Required metadata.annotations[api-approved.kubernetes.io]'],
  ],
  [
    'a protected group with a strange approval',
    sampleDefinition(
      { group: 'x.k8s.io' },
      { name: 'apps.x.k8s.io', annotations: { 'api-approved.kubernetes.io': 'sure' } },
    ),
    ['Invalid metadata.annotations[api-approved.kubernetes.io]'],
  ],
  [
    'a protected group, approved',
    sampleDefinition(
      { group: 'x.k8s.io' },
      { name: 'apps.x.k8s.io', annotations: { 'api-approved.kubernetes.io': 'https://example.com/pull/1' } },
    ),
    [],
  ],
]

function update(definition: Definition, old: Definition): Cause[] {
  return validateDefinitionUpdate(definition, old, new SchemaChecks())
}

function told(causes: readonly { reason: string; field: string }[]): string[] {
  return causes.map(({ reason, field }) => `${reason.replace('FieldValue', '')} ${field}`)
}

describe('a new definition', () => {
  it.each(rows)('with %s', (_, definition, wrong) => {
    expect(told(validateDefinition(definition, new SchemaChecks()))).toEqual(wrong)
  })
})

describe('a changed definition', () => {
  const old = sampleDefinition()
  const condition = { type: 'Established', status: 'True', reason: '', message: '', lastTransitionTime: '' } as const
  const established = { ...old, status: { ...old.status, conditions: [condition] } }

  it('may change scope and kind until it is established', () => {
    const changed = sampleDefinition({ scope: 'Cluster', names: { ...names, kind: 'Other' } })
    expect(told(update(changed, old))).toEqual([])
    expect(told(update(changed, established))).toEqual(['Invalid spec.scope', 'Invalid spec.names.kind'])
  })

  it('never changes plural and group, which are its name', () => {
    const changed = sampleDefinition({ group: 'other.com', names: { ...names, plural: 'others' } })
    expect(told(update(changed, old))).toEqual(['Invalid spec.group', 'Invalid spec.names.plural'])
  })

  it('keeps every version that may have stored objects', () => {
    const changed = storing(sampleDefinition({ versions: [sampleVersion('v2')] }), ['v1', 'v2'])
    expect(told(update(changed, old))).toEqual(['Invalid status.storedVersions[0]'])
  })

  it('is not judged anew when only its status changes', () => {
    const bad = sampleDefinition({ scope: 'Galaxy' })
    expect(update({ ...bad, status: { ...bad.status, conditions: [] } }, bad)).toEqual([])
  })

  it('is asked for an approval only when that changes', () => {
    const bad = sampleDefinition({ group: 'x.k8s.io' }, { name: 'apps.x.k8s.io' })
    expect(update(bad, bad)).toEqual([])
  })
})
