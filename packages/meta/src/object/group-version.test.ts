import { expect, it } from 'vitest'
import { compareVersions, formatGroupVersion, parseGroupVersion } from './group-version.ts'

it.each([
  ['v1', { group: '', version: 'v1' }],
  ['apps/v1', { group: 'apps', version: 'v1' }],
  ['', undefined],
  ['apps/', undefined],
  ['a/b/c', undefined],
])('parses %j', (text, expected) => {
  expect(parseGroupVersion(text)).toEqual(expected)
  if (expected) expect(formatGroupVersion(expected)).toBe(text)
})

it('sorts versions as Kubernetes does, the best first', () => {
  const best = ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10']
  expect(best.toReversed().sort(compareVersions)).toEqual(best)
  expect(['v1beta', 'v01', 'v1'].sort(compareVersions)).toEqual(['v1', 'v01', 'v1beta'])
  expect(compareVersions('x', 'x')).toBe(0)
})
