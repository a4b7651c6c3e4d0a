// Tests run on the sources: the `homeostat-source` condition makes packages resolve to src/*.ts.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['homeostat-source'] },
  ssr: { resolve: { conditions: ['homeostat-source'], externalConditions: ['homeostat-source'] } },
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts', '{test,examples,bench,scripts}/**/*.test.ts'],
    isolate: true,
    execArgv: ['--conditions=homeostat-source'],
    testTimeout: 20_000,
  },
})
