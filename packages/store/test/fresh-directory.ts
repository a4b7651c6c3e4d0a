// A directory of its own for one test, gone after it. Also turns on Node's compile cache, so that a test which opens
// many stores does not strip the types of the thread's sources each time.

import { mkdtemp, rm } from 'node:fs/promises'
import { enableCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

enableCompileCache()

export async function freshDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'homeostat-store-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}
