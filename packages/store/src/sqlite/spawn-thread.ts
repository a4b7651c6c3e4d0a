// Starts the threads of stores. A thread takes as long to start as a program takes to load, so a program that will open a
// store starts the thread before it loads the rest. This file must import nothing else: the command loads it first.

import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ThreadData } from './protocol.ts'

let early: Worker | undefined

/** The next store that is opened in this process takes the thread. Until then the thread keeps the process alive. */
export function startThreadEarly(): void {
  early ??= start('writer')
}

/** For a program that opens no store of this kind after all. */
export function endEarlyThread(): void {
  void early?.terminate()
  early = undefined
}

export function spawnThread(data: ThreadData): Worker {
  const taken = data.role === 'writer' ? early : undefined
  if (taken !== undefined) early = undefined
  const worker = taken ?? start(data.role)
  worker.postMessage(data)
  return worker
}

function start(role: ThreadData['role']): Worker {
  return new Worker(new URL('./thread.ts', import.meta.url), {
    execArgv: [],
    env: threadEnvironment(),
    resourceLimits: { maxYoungGenerationSizeMb: 2 },
    name: `store-${role}`,
  })
}

/** A thread does not inherit a compile cache that was turned on by a call, only one from the environment. */
function threadEnvironment(): NodeJS.ProcessEnv {
  const cache = getCompileCacheDir()
  return cache === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(cache) }
}
