// When schedules are due, whatever their ticks come from. Cron expressions are the colony's, which brings the library for them.

export { planTicks, type TickPlan, type TickPolicy, type TickState } from './plan-ticks.ts'
export { intervalTicks, onceTicks, type TickSource } from './tick-source.ts'
