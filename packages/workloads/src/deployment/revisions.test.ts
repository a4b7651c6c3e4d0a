import { expect, it } from 'vitest'
import type { ReplicaSet } from '../kinds.ts'
import { DESIRED, desiredOf, newestRevision, REVISION, revisionOf } from './revisions.ts'

const set = (annotations: Record<string, string>): ReplicaSet => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 's', annotations },
})

it.each([
  ['7', 7],
  ['9223372036854775807', 0],
  ['9007199254740991', 0],
  ['1e300', 0],
  ['x', 0],
])('a revision of %s counts as %i: the next one has another number', (text, revision) => {
  expect(revisionOf(set({ [REVISION]: text }))).toBe(revision)
  const newest = newestRevision([set({ [REVISION]: text })])
  expect(newest + 1).toBeGreaterThan(newest)
})

it.each([
  ['3', 3],
  ['9223372036854775807', undefined],
  [`1${'0'.repeat(400)}`, undefined],
])('wanted replicas of %s are read as %s', (text, count) => {
  expect(desiredOf(set({ [DESIRED]: text }))).toBe(count)
})
