import { expect, test } from 'vitest'
import { containersOf, type Pod } from './log-sources.ts'

const pod = (spec: Pod['spec'], annotations?: Record<string, string>): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', ...(annotations && { annotations }) },
  ...(spec && { spec }),
})
const one = pod({ containers: [{ name: 'a' }] })
const many = { containers: [{ name: 'a' }, { name: 'b' }], initContainers: [{ name: 'i' }] }
const nothing = { container: undefined, all: false }

test('the only container, the one that the pod names, or the first with a note', () => {
  expect(containersOf(one, nothing)).toEqual({ containers: ['a'] })
  expect(containersOf(pod(many, { 'kubectl.kubernetes.io/default-container': 'b' }), nothing)).toEqual({
    containers: ['b'],
  })
  expect(containersOf(pod(many), nothing)).toEqual({
    containers: ['a'],
    note: 'Defaulted container "a" out of: a, b, i (init)',
  })
  expect(containersOf(pod(many, { 'kubectl.kubernetes.io/default-container': 'gone' }), nothing).containers).toEqual([
    'a',
  ])
})

test('all of them, or the one that was named', () => {
  expect(containersOf(pod(many), { container: undefined, all: true })).toEqual({ containers: ['i', 'a', 'b'] })
  expect(containersOf(pod(many), { container: 'i', all: false })).toEqual({ containers: ['i'] })
  expect(() => containersOf(one, { container: 'b', all: false })).toThrow('container b is not valid for pod p')
  expect(containersOf(pod(undefined), nothing)).toEqual({ containers: [''] })
})
