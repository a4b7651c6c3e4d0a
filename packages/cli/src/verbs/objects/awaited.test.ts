import { expect, test } from 'vitest'
import { awaitedOf, isMetBy } from './awaited.ts'

const object = {
  apiVersion: 'v1',
  kind: 'X',
  metadata: { name: 'a', generation: 2 },
  spec: { n: 3, list: [1, 2] },
  status: {
    conditions: [
      null,
      { type: 'Ready', status: 'True' },
      { type: 'Old', status: 'True', observedGeneration: 1 },
      { type: 'New', status: 'False', observedGeneration: 2 },
    ],
  },
}

test.each([
  ['condition=Ready', true],
  ['condition=ready=true', true],
  ['condition=Ready=False', false],
  ['condition=Old', false],
  ['condition=New=False', true],
  ['condition=Nope', false],
  ['create', true],
  ['delete', false],
  ['jsonpath={.spec.n}=3', true],
  ['jsonpath={.spec.n}', true],
  ['jsonpath={.spec.n}=4', false],
  ['jsonpath={.spec.nope}', false],
  ['jsonpath={.spec.list[*]}=1', false],
  ['jsonpath={.status.conditions[?(@.type=="Ready")].status}=True', true],
])('%s', (text, met) => {
  expect(isMetBy(awaitedOf(text), object as never)).toBe(met)
})

test('what is not there meets only its deletion', () => {
  expect(
    ['create', 'delete', 'condition=Ready', 'jsonpath={.a}'].map((text) => isMetBy(awaitedOf(text), undefined)),
  ).toEqual([false, true, false, false])
})

test.each(['', 'foo', 'condition', 'condition=', 'jsonpath={.a[}'])('%j is refused', (text) => {
  expect(() => awaitedOf(text)).toThrow(/unrecognized condition|error parsing jsonpath/)
})
