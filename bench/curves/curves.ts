// `npm run bench -- --curves`: what grows with the number of objects, of watchers and of servers, on SQLite and on etcd. It prints tables
// and judges nothing; docs/scaling-limits.md has one of each, and says what follows from them.

import type { Lab } from '../lab.ts'
import { objectCurve } from './object-curve.ts'
import { serverCurve } from './server-curve.ts'
import { STORES } from './stores.ts'
import { watcherCurve } from './watcher-curve.ts'

export interface CurveLimits {
  /** The most objects; a tenth and a hundredth of it are measured, too. */
  readonly objects: number
  /** The most watchers; none, and a quarter of it, are measured, too. */
  readonly watchers: number
}

export async function curves(lab: Lab, { objects, watchers }: CurveLimits): Promise<void> {
  printRow([
    'store',
    'objects',
    'memory MiB',
    'etcd MiB',
    'ready s',
    'ready ms CPU',
    'create µs CPU',
    'etcd µs CPU for it',
    `page of 500 µs CPU`,
    'list by label ms CPU',
  ])
  printRule(10)
  for (const store of STORES) await objectCurve(lab, store, objects, printRow)

  console.log()
  printRow(['store', 'watchers', 'memory MiB', 'one change µs CPU', 'each delivery µs CPU'])
  printRule(5)
  for (const store of STORES) await watcherCurve(lab, store, watchers, printRow)

  console.log()
  printRow([
    'servers',
    'members',
    'create µs CPU',
    'each other server µs CPU',
    'leader of etcd µs CPU',
    'each other member µs CPU',
  ])
  printRule(6)
  await serverCurve(lab, printRow)
}

function printRow(cells: readonly (string | number)[]): void {
  console.log(`| ${cells.join(' | ')} |`)
}

function printRule(columns: number): void {
  console.log(`|${'---|'.repeat(columns)}`)
}
