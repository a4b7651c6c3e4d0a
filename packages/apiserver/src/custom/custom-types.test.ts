import type { KubeObject } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { sampleDefinition, sampleVersion } from '../builtin/definition/sample-definition.ts'
import { customTypes } from './custom-types.ts'

function app(fields: object = {}): KubeObject {
  return { apiVersion: 'example.com/v1', kind: 'App', metadata: { name: 'a' }, ...fields }
}

function only<T>(list: readonly T[]): T {
  const [first] = list
  if (first === undefined || list.length > 1) throw new Error(`one expected, ${list.length} found`)
  return first
}

describe('the types of a definition', () => {
  it('are its served versions, all stored under one name and version', () => {
    const versions = [
      sampleVersion('v1', { storage: false }),
      sampleVersion('v2'),
      sampleVersion('v3', { storage: false, served: false }),
    ]
    const types = customTypes(sampleDefinition({ versions }), 7)
    expect(
      types.map(({ version, storage, storageVersion, viewEpoch }) => [version, storage, storageVersion, viewEpoch]),
    ).toEqual([
      ['v1', 'example.com/apps', 'v2', 7],
      ['v2', 'example.com/apps', 'v2', 7],
    ])
  })

  it('use the accepted names once there are some', () => {
    const definition = sampleDefinition()
    definition.status.acceptedNames = {
      plural: 'apps',
      singular: 'one',
      kind: 'App',
      listKind: 'Apps',
      shortNames: ['ap'],
    }
    const type = only(customTypes(definition, 0))
    expect([type.singular, type.listKind, type.shortNames]).toEqual(['one', 'Apps', ['ap']])
  })

  it('take no creates while the definition terminates, and exist even if none is served', () => {
    const unserved = { versions: [sampleVersion('v1', { served: false })] }
    expect(customTypes(sampleDefinition(unserved), 0)).toEqual([])
    const gone = sampleDefinition(unserved, { deletionTimestamp: '2026-01-01T00:00:00Z' })
    expect(only(customTypes(gone, 0)).acceptsCreates).toBe(false)
    expect(only(customTypes(sampleDefinition(), 0)).acceptsCreates).toBe(true)
  })

  it('opt in by annotation', () => {
    const annotations = { 'homeostat.dev/unconditional-update': 'true', 'homeostat.dev/create-namespaces': 'true' }
    const type = only(customTypes(sampleDefinition({}, { annotations }), 0))
    expect([type.strategy.unconditionalUpdate, type.createsNamespaces]).toEqual([true, true])
    const plain = only(customTypes(sampleDefinition(), 0))
    expect([plain.strategy.unconditionalUpdate, plain.createsNamespaces]).toEqual([false, false])
  })

  it.each([
    [['v1', 'v2', 'v1beta1'], 'example.com/v1beta1 App is deprecated; use example.com/v2 App'],
    [['v1alpha1', 'v1beta1'], 'example.com/v1beta1 App is deprecated'],
  ])('warn of deprecation, naming the best of %o', (names, text) => {
    const versions = names.map((name) => sampleVersion(name, { storage: false, deprecated: name === 'v1beta1' }))
    const types = customTypes(sampleDefinition({ versions }), 0)
    expect(types.find((type) => type.version === 'v1beta1')?.deprecation).toBe(text)
    expect(types.find((type) => type.version !== 'v1beta1')?.deprecation).toBeUndefined()
  })

  it('warn in their own words', () => {
    const versions = [sampleVersion('v1', { deprecated: true, deprecationWarning: 'use v2' })]
    expect(only(customTypes(sampleDefinition({ versions }), 0)).deprecation).toBe('use v2')
  })

  it('prune, default and validate by their schema', () => {
    const { strategy } = only(customTypes(sampleDefinition(), 0))
    const object = app({ spec: { replicas: 'three', gone: 1 } })
    expect(strategy.prune(object)).toEqual(['spec.gone'])
    strategy.applyDefaults(object)
    expect(object.spec).toEqual({ replicas: 'three', size: 'S' })
    expect(strategy.validate(object).map((cause) => cause.field)).toEqual(['spec.replicas'])
    // Validation checks types; decoding does not.
    expect(strategy.decodeErrors(object)).toEqual([])
  })

  it('keep status apart where it is a subresource, and only there', () => {
    const apart = only(
      customTypes(sampleDefinition({ versions: [sampleVersion('v1', { subresources: { status: {} } })] }), 0),
    )
    const object = app({ status: { a: 1 } })
    apart.strategy.prepareForCreate(object)
    expect(object.status).toBeUndefined()
    apart.strategy.prepareForUpdate(object, app({ status: { a: 2 } }))
    expect(object.status).toEqual({ a: 2 })

    const plain = only(customTypes(sampleDefinition(), 0))
    const other = app({ status: { a: 1 } })
    plain.strategy.prepareForCreate(other)
    plain.strategy.prepareForUpdate(other, app({ status: { a: 2 } }))
    expect(other.status).toEqual({ a: 1 })
  })

  it('warn of a finalizer that others might choose as well, when it is added', () => {
    const { strategy } = only(customTypes(sampleDefinition(), 0))
    const held = app({ metadata: { name: 'a', finalizers: ['mine', 'example.com/mine'] } })
    expect(strategy.warnings(held, undefined)).toEqual([expect.stringContaining('"mine": prefer a domain-qualified')])
    expect(strategy.warnings(held, held)).toEqual([])
  })

  it('check what scaling needs, with the paths of the definition', () => {
    const scale = {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.sel',
    }
    const type = only(
      customTypes(sampleDefinition({ versions: [sampleVersion('v1', { subresources: { scale } })] }), 0),
    )
    expect(type.subresources.scale).toEqual({
      specReplicas: '.spec.replicas',
      statusReplicas: '.status.replicas',
      labelSelector: '.status.sel',
    })
    const fields = (object: KubeObject): string[] => type.strategy.validate(object).map((cause) => cause.field)
    expect(fields(app({ spec: { replicas: 3 } }))).toEqual([])
    expect(fields(app({ spec: { replicas: -1 }, status: { replicas: 2 ** 31, sel: 5 } }))).toEqual([
      '.spec.replicas',
      '.status.replicas',
      '.status.sel',
    ])
  })
})
