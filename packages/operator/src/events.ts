// Events for programs beside the framework: what they record is summed up and bounded as for operators.

export { EventRecorder } from './recorder/recorder.ts'
export type { EventInput } from './runtime/run.ts'
