// Tests on the packed packages, in projects outside of the clone: a run of its own, since it packs and installs.
import { defineConfig } from 'vitest/config'
import { execArgv, patience, sources } from './vitest.sources.ts'

export default defineConfig({
  ...sources,
  test: {
    execArgv,
    ...patience,
    include: ['test/packed/**/*.test.ts'],
    globalSetup: 'test/packed/setup.ts',
  },
})
