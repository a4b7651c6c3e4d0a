// `executor({ type, functions })`: pulls processes from a colony's queue and runs them until it is closed.

import { type ExecutorOptions, type RunningExecutor, settingsOf } from './options.ts'

export function executor(options: ExecutorOptions): RunningExecutor {
  settingsOf(options)
  throw new Error('not there yet')
}
