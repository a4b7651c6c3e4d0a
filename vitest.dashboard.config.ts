// Tests of the dashboard in a real browser: a run of its own, since it builds the page, whose install is its own.
import { defineConfig } from 'vitest/config'
import { execArgv, patience, sources } from './vitest.sources.ts'

export default defineConfig({
  ...sources,
  test: {
    execArgv,
    ...patience,
    include: ['test/dashboard/**/*.test.ts'],
    globalSetup: 'test/dashboard/setup.ts',
    maxWorkers: 2,
  },
})
