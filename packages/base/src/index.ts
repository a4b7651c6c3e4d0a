// A work queue with one worker per key, backoff, and the clock they go by.

export { Backoff, type BackoffOptions } from './backoff.ts'
export { type Clock, systemClock } from './clock.ts'
export { ControlLoop, type ControlLoopOptions } from './control-loop.ts'
export { type Log, silentLog } from './log.ts'
export { ManualClock } from './manual-clock.ts'
export { messageOf } from './message-of.ts'
export { Pace } from './pace.ts'
export { pause } from './pause.ts'
export { PauseWatch, type PauseWatchOptions } from './pause-watch.ts'
export { TimeSlice } from './time-slice.ts'
export { type Priority, WorkQueue } from './work-queue.ts'
export { yieldBetween, yieldToLoop } from './yield-to-loop.ts'
