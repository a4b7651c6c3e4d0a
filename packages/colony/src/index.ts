// The colony of a server. Loaded with the first object it cares for; the kinds alone are in `./kinds`.

export type { Colony } from './server/colony.ts'
export { type ColonyOptions, type RunningColony, startColony } from './server/start-colony.ts'
