import type { KubeObject } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { customColumns } from './custom-columns.ts'

const NOW = Date.parse('2030-01-06T00:00:00Z')
const object: KubeObject = {
  apiVersion: 'example.com/v1',
  kind: 'App',
  metadata: { name: 'a', namespace: 'n', creationTimestamp: '2030-01-01T00:00:00Z' },
  spec: { replicas: 2.9, ratio: 1, on: true, image: 'nginx:1', args: ['a', 'b'], started: 'soon', empty: '' },
}

const cell = (type: string, jsonPath: string) => customColumns([{ name: 'X', type, jsonPath }])[1]?.cell(object, NOW)

describe('columns', () => {
  it('are Name and Age when the definition names none', () => {
    for (const none of [undefined, []]) {
      expect(customColumns(none).map(({ name, type, format, priority }) => [name, type, format, priority])).toEqual([
        ['Name', 'string', 'name', 0],
        ['Age', 'date', '', 0],
      ])
    }
    expect(customColumns(undefined).map((column) => column.cell(object, NOW))).toEqual(['a', '5d'])
  })

  it('are Name and those of the definition, with their own description or one made from the path', () => {
    const columns = customColumns([
      { name: 'Replicas', type: 'integer', format: 'int32', jsonPath: '.spec.replicas' },
      { name: 'Image', type: 'string', jsonPath: '.spec.image', description: 'what runs', priority: 1 },
    ])
    expect(columns.slice(1)).toMatchObject([
      {
        name: 'Replicas',
        type: 'integer',
        format: 'int32',
        description: 'Custom resource definition column (in JSONPath format): .spec.replicas',
        priority: 0,
      },
      { name: 'Image', type: 'string', format: '', description: 'what runs', priority: 1 },
    ])
    expect(columns.map((column) => column.name)).toEqual(['Name', 'Replicas', 'Image'])
  })

  it('end at the first that cannot be read', () => {
    const columns = customColumns([
      { name: 'Good', type: 'string', jsonPath: '.spec.image' },
      { name: 'Bad', type: 'string', jsonPath: '.spec.image[' },
      { name: 'Lost', type: 'string', jsonPath: '.spec.image' },
    ])
    expect(columns.map((column) => column.name)).toEqual(['Name', 'Good'])
  })
})

describe('cells', () => {
  it.each([
    ['integer', '.spec.replicas', 2],
    ['integer', '.spec.image', null],
    ['number', '.spec.ratio', 1],
    ['boolean', '.spec.on', true],
    ['boolean', '.spec.ratio', null],
    ['string', '.spec.image', 'nginx:1'],
    ['string', '.spec.replicas', '2.9'],
    ['string', '.spec.on', 'true'],
    ['string', '.spec.args', '["a","b"]'],
    ['string', '.spec.args[*]', 'a'],
    ['string', '.spec.empty', ''],
    ['string', '.spec.missing.deep', null],
    ['string', '.status.conditions[?(@.type=="Ready")].status', null],
    ['date', '.metadata.creationTimestamp', '5d'],
    ['date', '.spec.started', '<invalid>'],
    ['date', '.spec.empty', '<unknown>'],
    ['date', '.spec.missing', null],
    ['date', '.spec.ratio', null],
    ['banana', '.spec.image', null],
  ])('a %s column over %s shows %j', (type, path, expected) => {
    expect(cell(type, path)).toBe(expected)
  })
})
