// Runs one test of the suite on a fresh store and disposes of the store whether the test passes or throws.

import { it } from 'vitest'
import type { Store } from '../contract.ts'
import type { MakeStore, StoreUnderTest, TestLimits } from './harness.ts'

export function itWithStore(
  make: MakeStore,
  sentence: string,
  test: (store: Store, under: StoreUnderTest) => Promise<void>,
  limits?: TestLimits,
): void {
  it(sentence, async () => {
    const under = await make(limits)
    try {
      await test(under.store, under)
    } finally {
      await under.dispose()
    }
  })
}
