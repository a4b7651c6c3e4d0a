// The matrix of real clients is a run of its own: it builds programs in other languages, which takes minutes.
import { defineConfig } from 'vitest/config'
import { execArgv, patience, sources } from './vitest.sources.ts'

export default defineConfig({
  ...sources,
  test: {
    execArgv,
    include: ['test/clients/**/*.matrix.ts'],
    expect: patience.expect,
    testTimeout: 900_000,
    hookTimeout: 60_000,
  },
})
