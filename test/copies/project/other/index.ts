// The packages once more, in copies of their own.

export { createClient } from '@homeostat/client'
export { nodeTransport } from '@homeostat/client/node'
export { PermanentError } from '@homeostat/executor'
export { MemoryStore } from '@homeostat/store'
export { testEnv } from '@homeostat/testing'
export { testColony } from '@homeostat/testing/colony'
