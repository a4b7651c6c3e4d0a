// When schedules are due. An entry of its own, since it loads croner.

export { cronTicks } from './cron-ticks.ts'
export { planTicks, type TickPlan, type TickPolicy, type TickState } from './plan-ticks.ts'
export { intervalTicks, onceTicks, type TickSource } from './tick-source.ts'
