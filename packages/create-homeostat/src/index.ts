// `homeostat init` is this package's command under another name.

export { candidates } from './command-line.ts'
export { type Caller, createProject } from './create-project.ts'
export type { Questions } from './questions.ts'
export { Refusal } from './refusal.ts'
export { terminalQuestions } from './terminal-questions.ts'
