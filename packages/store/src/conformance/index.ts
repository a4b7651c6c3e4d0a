// The suite every store driver must pass. A driver's own test file calls it with a way to make a store.
// It needs vitest and fast-check, so it is its own entry point.

import { describe } from 'vitest'
import { changesSuite } from './changes.ts'
import { compactionSuite } from './compaction.ts'
import { fencesSuite } from './fences.ts'
import type { MakeStore, StoreUnderTest, TestLimits } from './harness.ts'
import { historySuite } from './history.ts'
import { lifecycleSuite } from './lifecycle.ts'
import { modelSuite } from './model.ts'
import { readsSuite } from './reads.ts'
import { writesSuite } from './writes.ts'

export type { MakeStore, StoreUnderTest, TestLimits }

export function storeConformance(name: string, make: MakeStore): void {
  describe(`the ${name} store keeps the contract`, () => {
    describe('writes', () => writesSuite(make))
    describe('fences', () => fencesSuite(make))
    describe('reads', () => readsSuite(make))
    describe('changes', () => changesSuite(make))
    describe('compaction', () => compactionSuite(make))
    describe('history', () => historySuite(make))
    describe('life', () => lifecycleSuite(make))
    describe('model', () => modelSuite(make))
  })
}
