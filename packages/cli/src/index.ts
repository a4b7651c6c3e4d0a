export type { AddOn } from './add-on.ts'
export { ownCommand, ownCommandEnv } from './own-command.ts'
