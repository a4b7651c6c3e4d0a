// The state machine of graphs alone, for programs that show one: the entry `./graph`.

export { GraphRun, type GraphRunOptions } from './graph-run.ts'
