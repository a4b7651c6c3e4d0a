import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { breakingChanges } from './breaking-changes.ts'
import { type CustomResourceDefinition, type DefinitionOptions, definitionManifest } from './definition-manifest.ts'

function definition(spec: z.ZodType, more: Partial<DefinitionOptions> = {}): CustomResourceDefinition {
  return definitionManifest({ group: 'ex.io', version: 'v1', kind: 'Site', spec, ...more })
}

const lines = (old: CustomResourceDefinition, now: CustomResourceDefinition) =>
  breakingChanges(old, now).map(({ path, what, breaking }) => `${breaking ? '' : 'warning: '}${path}: ${what}`)

describe('a change of the definition', () => {
  const old = definition(z.object({}), { names: { shortNames: ['s'] } })
  const now = (spec: Partial<CustomResourceDefinition['spec']>) => ({ ...old, spec: { ...old.spec, ...spec } })
  const [v1] = old.spec.versions

  it.each<[string, CustomResourceDefinition, string]>([
    ['group', now({ group: 'other.io' }), 'spec.group: changes from ex.io to other.io'],
    ['scope', now({ scope: 'Cluster' }), 'spec.scope: changes from Namespaced to Cluster'],
    [
      'plural',
      now({ names: { ...old.spec.names, plural: 'pages' } }),
      'spec.names.plural: changes from sites to pages',
    ],
    ['kind', now({ names: { ...old.spec.names, kind: 'Page' } }), 'spec.names.kind: changes from Site to Page'],
    [
      'singular',
      now({ names: { ...old.spec.names, singular: 'page' } }),
      'warning: spec.names.singular: changes from site to page',
    ],
    ['short names', now({ names: { ...old.spec.names, shortNames: [] } }), 'warning: spec.names.shortNames: s goes'],
    [
      'version',
      definition(z.object({}), { version: 'v2', names: { shortNames: ['s'] } }),
      'spec.versions[v1]: the version goes',
    ],
    [
      'what is served',
      now({ versions: [{ ...old.spec.versions[0], name: 'v1', storage: true, served: false }] }),
      'spec.versions[v1]: is not served any more',
    ],
    [
      'a subresource',
      now({ versions: [{ ...old.spec.versions[0], name: 'v1', storage: true, served: true, subresources: {} }] }),
      'spec.versions[v1].subresources.status: the subresource goes',
    ],
  ])('%s', (_, changed, expected) => expect(lines(old, changed)).toEqual([expected]))

  it('a field that could be selected by', () => {
    const selectable = definition(z.object({ a: z.string().meta({ selectable: true }) }))
    expect(lines(selectable, definition(z.object({ a: z.string() })))).toEqual([
      'spec.versions[v1].selectableFields: .spec.a goes',
    ])
  })

  it('a version that objects are stored in', () => {
    const stored = { ...old, status: { storedVersions: ['v1', 'v1alpha1'] } }
    const next = definition(z.object({}), { version: 'v2', names: { shortNames: ['s'] } })
    const changes = breakingChanges(stored, next)
    expect(changes.map(({ path }) => path)).toEqual(['spec.versions[v1]', 'status.storedVersions[v1alpha1]'])
    expect(changes[0]?.why).toContain('status.storedVersions')
  })

  it('a new version beside the old one breaks nothing', () => {
    if (v1 === undefined) throw new Error('no version')
    expect(lines(old, now({ versions: [v1, { ...v1, name: 'v2', storage: false }] }))).toEqual([])
  })
})

describe('a status', () => {
  const kind = (status?: z.ZodType) => definition(z.object({}), { status })

  it('may lose fields, since its operator writes what it needs', () => {
    expect(lines(kind(z.object({ a: z.string() })), kind(z.object({})))).toEqual([
      'warning: v1 status.a: the field goes',
    ])
    expect(lines(kind(), kind(z.object({})))).toEqual(['warning: v1 status: unknown fields are not kept any more'])
  })

  it('may not refuse what is stored', () => {
    expect(lines(kind(z.object({ a: z.string() })), kind(z.object({ a: z.int() })))).toEqual([
      'v1 status.a: the type changes from string to integer',
    ])
  })
})

it('a variant more in a union breaks nothing', () => {
  const a = z.object({ type: z.literal('a'), x: z.string() })
  const b = z.object({ type: z.literal('b'), y: z.string() })
  const c = z.object({ type: z.literal('c'), z: z.string() })
  const old = definition(z.object({ u: z.discriminatedUnion('type', [a, b]) }))
  const now = definition(z.object({ u: z.discriminatedUnion('type', [a, b, c]) }))
  expect(breakingChanges(old, now).filter((change) => change.breaking)).toEqual([])
})

it('nothing changes between a definition and itself', () => {
  const fields = fc.constantFrom<z.ZodType>(
    z.string().min(1).regex(/a/),
    z.int().default(3),
    z.array(z.union([z.int(), z.string()])).max(3),
    z.record(z.string(), z.enum(['a', 'b']).nullable()),
    z.object({ a: z.looseObject({}).optional() }),
  )
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('a', 'b', 'c'), fields), (shape) => {
      expect(breakingChanges(definition(z.object(shape)), definition(z.object(shape)))).toEqual([])
    }),
  )
})
