// The colony of a server. A server loads it with the first object that it handles; `./kinds` has the kinds alone.

export type { Colony } from './server/colony.ts'
export { type ColonyOptions, type RunningColony, startColony } from './server/start-colony.ts'
