// What all runs of tests share: the `homeostat-source` condition makes packages resolve to src/*.ts.

export const sources = {
  resolve: { conditions: ['homeostat-source'] },
  ssr: { resolve: { conditions: ['homeostat-source'], externalConditions: ['homeostat-source'] } },
}

export const execArgv = ['--conditions=homeostat-source']

/**
 * How long a test waits for what it waits for, on however busy a machine. No test has a shorter limit of its own:
 * a limit ends a test that hangs and judges nothing.
 */
export const patience = {
  testTimeout: 300_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 120_000, interval: 10 } },
}
