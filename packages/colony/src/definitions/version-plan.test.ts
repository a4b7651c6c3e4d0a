import type { KubeObject } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import type { ResourceDefinitionSpec } from '../kinds/resource-definition.ts'
import { planVersions } from './version-plan.ts'

const schema = (field: string) => ({ properties: { [field]: { type: 'string' } } })

function plan(spec: Partial<ResourceDefinitionSpec>, made?: KubeObject) {
  return planVersions({ group: 'g', names: { kind: 'K', plural: 'ks' }, ...spec }, made)
}

/** Name, marks and the fields of the schema of each version. */
function words(spec: Partial<ResourceDefinitionSpec>, made?: KubeObject): string[] | string {
  const planned = plan(spec, made)
  if ('reason' in planned) return planned.message
  return planned.map(({ name, served, storage, ...parts }) => {
    const { openAPIV3Schema } = parts.schema as { openAPIV3Schema: { properties: { spec: { properties?: object } } } }
    const fields = Object.keys(openAPIV3Schema.properties.spec.properties ?? {})
    return [name, served ? 'served' : 'unserved', ...(storage ? ['stored'] : []), ...fields].join(' ')
  })
}

function madeOf(spec: Partial<ResourceDefinitionSpec>, storedVersions: readonly string[]): KubeObject {
  return { apiVersion: 'a', kind: 'C', metadata: {}, spec: { versions: plan(spec) }, status: { storedVersions } }
}

describe('the versions of a definition', () => {
  it.each<[string, Partial<ResourceDefinitionSpec>, string[]]>([
    ['a single one', { version: 'v1', schema: schema('a') }, ['v1 served stored a']],
    [
      'others beside the single one',
      { version: 'v1', schema: schema('a'), versions: [{ name: 'v1beta1', schema: schema('b') }] },
      ['v1 served stored a', 'v1beta1 served b'],
    ],
    [
      'the single one among the others',
      { version: 'v1', schema: schema('a'), versions: [{ name: 'v1beta1', served: false }, { name: 'v1' }] },
      ['v1 served stored a', 'v1beta1 unserved'],
    ],
    [
      'a list alone',
      { versions: [{ name: 'v1' }, { name: 'v2', storage: true, schema: schema('b') }] },
      ['v2 served stored b', 'v1 served'],
    ],
    ['a list of one', { versions: [{ name: 'v1', schema: schema('a') }] }, ['v1 served stored a']],
  ])('can be %s', (_, spec, expected) => {
    expect(words(spec)).toEqual(expected)
  })

  it.each<[string, Partial<ResourceDefinitionSpec>, string]>([
    ['none', {}, 'spec.version: is required'],
    ['an empty list', { versions: [] }, 'spec.version: is required'],
    ['several, and none to store', { versions: [{ name: 'v1' }, { name: 'v2' }] }, 'with storage: true'],
    [
      'two to store',
      { versions: ['v1', 'v2'].map((name) => ({ name, storage: true })) },
      'v2 has storage: true, but objects are stored in v1',
    ],
    ['another one to store', { version: 'v1', versions: [{ name: 'v2', storage: true }] }, 'objects are stored in v1'],
    ['none served', { versions: [{ name: 'v1', served: false }] }, 'at least one version must be served'],
    [
      'two schemas of one',
      { version: 'v1', schema: {}, versions: [{ name: 'v1', schema: {} }] },
      'spec.schema: the schema of v1 is in spec.versions[0] too',
    ],
    ['a schema of none', { schema: {}, versions: [{ name: 'v1' }] }, 'spec.schema: belongs to spec.version'],
    [
      'a broken schema',
      { version: 'v1', versions: [{ name: 'v2', schema: { type: 'string' } }] },
      'spec.versions[0].schema.type: the schema is that of spec',
    ],
  ])('cannot be %s', (_, spec, message) => {
    expect(words(spec)).toContain(message)
  })

  it('keep one that was served, with its schema, until the definition says otherwise', () => {
    const made = madeOf({ version: 'v1', schema: schema('a') }, ['v1'])
    const next = { version: 'v2', schema: schema('b') }
    expect(words(next, made)).toEqual(['v2 served stored b', 'v1 served a'])
    expect(words({ ...next, versions: [{ name: 'v1', served: false, schema: schema('a') }] }, made)).toEqual([
      'v2 served stored b',
      'v1 unserved a',
    ])
  })

  it('keep one that is not served only while objects may be stored in it', () => {
    const spec = { version: 'v2', versions: [{ name: 'v1', served: false }] }
    expect(words({ version: 'v2' }, madeOf(spec, ['v1', 'v2']))).toEqual(['v2 served stored', 'v1 unserved'])
    expect(words({ version: 'v2' }, madeOf(spec, ['v2']))).toEqual(['v2 served stored'])
  })
})
