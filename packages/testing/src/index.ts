// A control plane inside a test, in milliseconds: `await using env = await testEnv()`.

import { preload } from '@homeostat/apiserver'

export { TestClock } from './test-clock.ts'
export { type ApiManifest, type TestEnv, type TestEnvOptions, type TypedEnv, testEnv } from './test-env.ts'

// All that loading takes, it takes here: no test waits for it.
await preload()
