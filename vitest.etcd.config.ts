// Tests of servers again, on a real etcd in place of their own stores: what a client sees is the same. A run of its own, since all
// of them share one cluster. test/scaling has the tests of several servers.
import { configDefaults, defineConfig } from 'vitest/config'
import { execArgv, patience, sources } from './vitest.sources.ts'

export default defineConfig({
  ...sources,
  test: {
    execArgv,
    ...patience,
    include: [
      'packages/apiserver/test/*.test.ts',
      'test/acceptance/*.test.ts',
      'test/crash/*.test.ts',
      'test/kubectl.test.ts',
    ],
    exclude: [
      ...configDefaults.exclude,
      // Count how often webhooks are asked: a refusal is decided again on the newest state, and they are asked once more.
      'packages/apiserver/test/{admission,failing}-webhooks.test.ts',
      // Servers of these tests have no TLS port, at which one of several would be advertised as the Service of the API.
      'packages/apiserver/test/control-plane.test.ts',
      // Holds objects that are larger than etcd takes.
      'packages/apiserver/test/in-flight.test.ts',
    ],
    globalSetup: 'test/on-etcd/setup.ts',
  },
})
