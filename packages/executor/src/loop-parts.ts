// The parts that the loops of one executor share.

import type { CallRetries } from './call-retries.ts'
import type { ColonyCalls } from './colony-calls.ts'
import type { ExecutorEnd } from './executor-end.ts'
import type { HeldProcesses } from './held-processes.ts'
import type { Settings } from './options.ts'
import type { Registration } from './registration.ts'
import type { RunningFunctions } from './running-functions.ts'
import type { Wakeup } from './waiting.ts'

export interface LoopParts {
  readonly settings: Settings
  readonly calls: ColonyCalls
  readonly held: HeldProcesses
  /** Wakes the loops when the held Processes have changed. */
  readonly changed: Wakeup
  readonly running: RunningFunctions
  readonly retries: CallRetries
  readonly registration: Registration
  readonly end: ExecutorEnd
}
