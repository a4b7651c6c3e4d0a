// The matrix of real clients is a run of its own: it builds programs in other languages, which takes minutes.
import { defineConfig } from 'vitest/config'
import shared from './vitest.config.ts'

export default defineConfig({
  ...shared,
  test: { ...shared.test, include: ['test/clients/**/*.matrix.ts'], testTimeout: 900_000, hookTimeout: 60_000 },
})
