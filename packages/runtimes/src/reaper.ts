// What programs need that start others and must leave none behind.

export { type Reaper, startReaper } from './process/reaper.ts'
export { endOrphans } from './process/started-by.ts'
