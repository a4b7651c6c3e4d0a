// The event recorder for programs without the framework: events are aggregated and bounded as for operators.

export { EventRecorder } from './recorder/recorder.ts'
export type { EventInput } from './runtime/reconcile-context.ts'
