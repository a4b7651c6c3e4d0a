export { ownCommand, ownCommandEnv } from './own-command.ts'
