// The matrix of real clients is a run of its own: it builds programs in other languages, which takes minutes.
import { mergeConfig } from 'vitest/config'
import shared from '../../vitest.config.ts'

export default mergeConfig(shared, {
  test: { include: ['test/clients/**/*.matrix.ts'], testTimeout: 180_000, hookTimeout: 900_000 },
})
