// A directory of its own for one test, gone after it. Also turns on Node's compile cache, so that a test which opens
// many stores does not strip the types of the thread's sources each time.

import { enableCompileCache } from 'node:module'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'

enableCompileCache()

export function freshDirectory(): string {
  return temporaryFolder()
}
