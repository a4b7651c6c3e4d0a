import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { lineManagers } from './line-managers.ts'

const text = stringify({
  metadata: { labels: { 'a.b/c': 'x' }, finalizers: ['one', 'two'] },
  spec: {
    size: 3,
    ports: [
      { name: 'web', number: 80 },
      { name: 'admin', number: 81 },
    ],
    free: { any: [1, 2] },
  },
})
const line = (start: string) => text.split('\n').findIndex((one) => one.trim().startsWith(start))

test('each line names who manages its field: by name, by the keys of an item, by value, by place', () => {
  const managers = lineManagers(text, [
    {
      manager: 'gitops',
      fieldsV1: {
        'f:metadata': { 'f:labels': { '.': {}, 'f:a.b/c': {} }, 'f:finalizers': { '.': {}, 'v:"two"': {} } },
        'f:spec': {
          'f:size': {},
          'f:ports': { 'k:{"name":"admin"}': { '.': {}, 'f:number': {} } },
          'f:free': { 'f:any': { 'i:1': {} } },
        },
      },
    },
    { manager: 'scaler', fieldsV1: { 'f:spec': { 'f:size': {}, 'f:gone': {} } } },
  ])
  expect(Object.fromEntries(managers)).toEqual({
    [line('a.b/c')]: 'gitops',
    [line('- two')]: 'gitops',
    [line('size')]: 'gitops, scaler',
    [line('number: 81')]: 'gitops',
    [line('- 2')]: 'gitops',
  })
})

test('what is no set of fields, or no YAML, has no managers', () => {
  for (const entries of [undefined, [], [null], [{ fieldsV1: 7 }], [{ fieldsV1: { 'k:{': {}, 'f:': null, x: {} } }]])
    expect(lineManagers(text, entries as never).size).toBe(0)
  expect(lineManagers('{[', [{ manager: 'a', fieldsV1: { 'f:spec': {} } }]).size).toBe(0)
  const many = Array.from({ length: 9 }, (_, at) => ({ manager: `m${at}`, fieldsV1: { 'f:spec': {} } }))
  expect([...lineManagers('spec: 1', many).values()]).toEqual(['m0, m1, m2, m3 and 5 more'])
})
