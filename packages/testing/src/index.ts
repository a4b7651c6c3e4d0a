// A control plane inside a test, started in milliseconds: `await using env = await testEnv()`.

export { ManualClock } from '@homeostat/base'
export { type TestEnv, type TestEnvOptions, type TypedEnv, testEnv } from './test-env.ts'
export type { ApiManifest, TestObjects } from './test-objects.ts'
export type { TestRunOptions } from './test-operators.ts'
