// Managed fields as people read them.

import { expect, test } from 'vitest'
import { fieldText, managersOf } from './managers.ts'

test('each manager has its fields, the newest manager first', () => {
  const managers = managersOf([
    { manager: 'old', operation: 'Update', time: '2026-01-01T00:00:00Z', fieldsV1: { 'f:spec': { 'f:size': {} } } },
    {
      manager: 'new',
      operation: 'Apply',
      subresource: 'status',
      time: '2026-01-02T00:00:00Z',
      fieldsV1: {
        'f:spec': { '.': {}, 'f:list': { 'k:{"name":"a","port":1}': { '.': {}, 'f:image': {} }, 'v:"x"': {} } },
      },
    },
  ])
  expect(managers).toEqual([
    {
      name: 'new',
      how: 'applies status',
      time: '2026-01-02T00:00:00Z',
      fields: ['spec.list[name=a,port=1].image', 'spec.list["x"]'],
      more: 0,
    },
    { name: 'old', how: 'updates', time: '2026-01-01T00:00:00Z', fields: ['spec.size'], more: 0 },
  ])
})

test('what is no set of fields has none, and a set without end is bounded', () => {
  expect(managersOf([null, { fieldsV1: 'x' }, { fieldsV1: { 'k:{': {} } }]).map(({ fields }) => fields)).toEqual([
    [],
    [],
    ['[{]'],
  ])
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`f:a${at}`, {}]))
  expect(managersOf([{ fieldsV1: many }])[0]).toMatchObject({ more: 800 })
  expect(fieldText(['f:metadata', 'f:labels', 'f:a.b/c'])).toBe('metadata.labels.a.b/c')
})
