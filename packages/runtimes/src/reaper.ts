// For programs that start other programs and must not leave any behind.

export { type Reaper, startReaper } from './process/reaper.ts'
export { endOrphans } from './process/started-by.ts'
