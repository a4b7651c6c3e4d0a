// When schedules are due, whatever their ticks come from. Who reads cron expressions (colony, workloads) brings the library for them.

export { type Calendar, calendarTicks } from './calendar-ticks.ts'
export { planTicks, type TickPlan, type TickPolicy, type TickState } from './plan-ticks.ts'
export { intervalTicks, onceTicks, type TickSource } from './tick-source.ts'
