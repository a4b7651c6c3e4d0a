// When schedules are due, for programs that show them: the entry `./schedule`. Pure.

export { cronTicks } from './cron-ticks.ts'
export { planOf, sinceOf, type Ticking, ticksOf } from './schedule-ticks.ts'
