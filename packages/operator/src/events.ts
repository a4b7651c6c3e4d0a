// The event recorder for programs without the framework: events are aggregated and bounded as for operators.

export type { EventInput } from '@homeostat/meta/events'
export { EventRecorder } from './recorder/recorder.ts'
