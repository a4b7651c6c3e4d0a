import type { KubeObject } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { builtinType } from '../builtin-kind.ts'
import { asDefinition, CLEANUP_FINALIZER } from './definition.ts'
import { definitionKind } from './definition-kind.ts'
import { sampleDefinition, sampleVersion } from './sample-definition.ts'

const type = builtinType(definitionKind(() => Date.parse('2026-01-01T00:00:00Z')))
const { strategy } = type

function created(spec: unknown): KubeObject {
  const object = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'a' },
    spec,
  }
  expect(strategy.decodeErrors(object)).toEqual([])
  strategy.prune(object)
  strategy.prepareForCreate(object)
  strategy.applyDefaults(object)
  return object
}

describe('CustomResourceDefinition', () => {
  it('gets names, conversion and status filled in as Kubernetes answers them', () => {
    const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }]
    const object = created({ group: 'g.com', scope: 'Cluster', names: { plural: 'apps', kind: 'App' }, versions })
    expect(object.spec).toEqual({
      group: 'g.com',
      scope: 'Cluster',
      names: { plural: 'apps', kind: 'App', singular: 'app', listKind: 'AppList' },
      versions,
      conversion: { strategy: 'None' },
    })
    expect(object.status).toEqual({ acceptedNames: { plural: '', kind: '' }, conditions: null, storedVersions: ['v1'] })
  })

  it.each([[{}], [null], [{ versions: null }], [{ versions: [{}] }], [{ names: null, versions: [null] }]])(
    'with spec %o is refused and breaks nothing',
    async (spec) => {
      const object = created(spec)
      expect(strategy.validate(object).map((cause) => cause.field)).toContain('spec.group')
      await strategy.beforeValidation?.(object, undefined, true)
      expect(strategy.validate(object).map((cause) => cause.field)).toContain('spec.group')
    },
  )

  it.each([
    ['one version', ['a']],
    ['versions alike', ['a', 'a']],
    ['versions that differ', ['a', 'b']],
  ])('%s: a check that yields finds the same as one that does not', async (_, words) => {
    const versions = words.map((word, index) => {
      const openAPIV3Schema = { type: 'object', properties: { [word]: { format: word }, wat: { type: 'wat' } } }
      return sampleVersion(`v${index + 1}`, { storage: index === 0, schema: { openAPIV3Schema } })
    })
    const object = sampleDefinition({ versions })
    const causes = strategy.validate(object)
    expect(causes.length).toBeGreaterThan(1)
    await strategy.beforeValidation?.(object, undefined, true)
    expect(strategy.validate(object)).toEqual(causes)
  })

  it('the result of an earlier check is dropped when the schema changed since', async () => {
    const openAPIV3Schema = { type: 'object', properties: { a: { type: 'wat' } } }
    const object = sampleDefinition({ versions: [sampleVersion('v1', { schema: { openAPIV3Schema } })] })
    await strategy.beforeValidation?.(object, undefined, true)
    expect(strategy.validate(object)).not.toEqual([])
    openAPIV3Schema.properties.a.type = 'string'
    expect(strategy.validate(object)).toEqual([])
  })

  it('knows the words of schemas at every depth, and their types', () => {
    const item = { type: 'string', wat: 1, enum: ['a', null], default: { wat: 1 } }
    const openAPIV3Schema = { properties: { wat: { additionalProperties: true, items: item } } }
    const definition = sampleDefinition({ versions: [sampleVersion('v1', { schema: { openAPIV3Schema } })] })
    expect(strategy.prune(definition)).toEqual(['spec.versions[0].schema.openAPIV3Schema.properties.wat.items.wat'])
    expect(item).toEqual({ type: 'string', enum: ['a', null], default: { wat: 1 } })
    Object.assign(item, { maxLength: 'ten' })
    expect(strategy.decodeErrors(definition)).toHaveLength(1)
  })

  it('remembers every version that has stored objects', () => {
    const old = sampleDefinition()
    const versions = [sampleVersion('v1', { storage: false }), sampleVersion('v2')]
    const next = sampleDefinition({ versions })
    strategy.prepareForUpdate(next, old)
    expect(next.status.storedVersions).toEqual(['v1', 'v2'])
    expect(old.status.storedVersions).toEqual(['v1'])
  })

  it('is held by a finalizer and says so when it is deleted', () => {
    const object = sampleDefinition()
    strategy.beforeDelete?.(object)
    expect(object.metadata.finalizers).toEqual([CLEANUP_FINALIZER])
    expect(asDefinition(object).status.conditions).toMatchObject([
      {
        type: 'Terminating',
        status: 'True',
        reason: 'InstanceDeletionPending',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ])
    const marked = structuredClone({
      ...object,
      metadata: { ...object.metadata, deletionTimestamp: 'x', finalizers: [] },
    })
    strategy.beforeDelete?.(marked)
    expect(marked.metadata.finalizers).toEqual([])
  })

  it('warns of unknown formats, in one version or in all', () => {
    const schema = (format: string) => ({
      openAPIV3Schema: { type: 'object', properties: { a: { type: 'string', format } } },
    })
    const versions = [
      sampleVersion('v1', { schema: schema('odd') }),
      sampleVersion('v2', { storage: false, schema: schema('odder') }),
      sampleVersion('v3', { storage: false, schema: schema('date-time') }),
    ]
    for (const [given, warnings] of [
      [versions, ['unrecognized format "odd"', 'unrecognized format "odder"']],
      [versions.slice(0, 1), ['unrecognized format "odd"']],
    ] as const) {
      const definition = sampleDefinition({ versions: [...given] })
      expect(strategy.validate(definition)).toEqual([])
      expect(strategy.warnings(definition, undefined)).toEqual(warnings)
    }
  })

  it('can be read with lists of names among the dependencies of a schema, which no definition may have', () => {
    const schema = { openAPIV3Schema: { type: 'object', dependencies: { a: ['b'] } } }
    const definition = sampleDefinition({ versions: [sampleVersion('v1', { schema })] })
    expect(strategy.decodeErrors(definition)).toEqual([])
    expect(strategy.validate(definition).map(({ field }) => field)).toEqual([
      'spec.validation.openAPIV3Schema.dependencies',
    ])
  })

  it('warns of an unknown format once, in the write that adds it', () => {
    const withFormats = (...formats: string[]) => {
      const properties = Object.fromEntries(formats.map((format) => [format, { type: 'string', format }]))
      const schema = { openAPIV3Schema: { type: 'object', properties } }
      const definition = sampleDefinition({ versions: [sampleVersion('v1', { schema })] })
      strategy.validate(definition)
      return definition
    }
    expect(strategy.warnings(withFormats('odd'), undefined)).toEqual(['unrecognized format "odd"'])
    expect(strategy.warnings(withFormats('odd', 'new'), withFormats('odd'))).toEqual(['unrecognized format "new"'])
  })

  it('warns of columns that cannot be read, once, and only when spec changes', () => {
    const rules = {
      type: 'object',
      properties: { default: { type: 'object', 'x-kubernetes-validations': [{ rule: 'true' }] } },
    }
    const version = sampleVersion('v1', {
      schema: { openAPIV3Schema: rules },
      additionalPrinterColumns: [{ name: 'Bad', type: 'string', jsonPath: '.spec[' }],
    })
    const definition = sampleDefinition({ versions: [version] })
    const warnings = strategy.warnings(definition, undefined)
    expect(warnings).toEqual([expect.stringContaining('JSONPath that cannot be read')])
    expect(strategy.warnings(definition, sampleDefinition())).toHaveLength(1)
    expect(strategy.warnings(structuredClone(definition), definition)).toEqual([])
    expect(strategy.warnings(sampleDefinition(), undefined)).toEqual([])
  })
})
