// How the object of a row is, by the cells that the server shows of it. Pure.

import { type Health, healthOf } from '../parts/health.ts'
import type { Column, Row } from './table-replica.ts'

const SHARE = /^(\d+)\/(\d+)$/
/** Says nothing without what it is about. */
const TRUTH = /^(?:true|false|unknown)$/i
const COUNTED = /^(?:ready|completions|up-to-date)$/i

export interface RowHealth {
  readonly health: Health | undefined
  /** The cell that says so. */
  readonly word: string | undefined
}

const RANK: Record<Health, number> = { bad: 2, busy: 1, good: 0 }

/** The worst that a cell says. */
export function rowHealth(columns: readonly Pick<Column, 'name'>[], row: Pick<Row, 'cells' | 'metadata'>): RowHealth {
  if (row.metadata.deletionTimestamp !== undefined) return { health: 'busy', word: 'Being deleted' }
  let worst: RowHealth = { health: undefined, word: undefined }
  for (const [index, { name }] of columns.entries()) {
    const cell = row.cells[index]
    if (typeof cell !== 'string' && typeof cell !== 'boolean') continue
    const word = String(cell)
    const health = healthOf(name, word) ?? shareHealth(name, word)
    if (health === undefined) continue
    if (worst.health === undefined || RANK[health] > RANK[worst.health])
      worst = { health, word: TRUTH.test(word) ? `${name} ${word}` : word }
  }
  // What has ended well counts nothing as ready any more.
  const ended = row.cells.some((cell) => cell === 'Completed' || cell === 'Succeeded')
  return ended && worst.health === 'busy' ? { health: 'good', word: 'Completed' } : worst
}

/** `1/2`, as Pods and Deployments show it. */
function shareHealth(name: string, word: string): Health | undefined {
  const share = COUNTED.test(name) ? SHARE.exec(word) : null
  if (share === null) return undefined
  return Number(share[1]) < Number(share[2]) ? 'busy' : 'good'
}

export function worst(healths: Iterable<Health | undefined>): Health | undefined {
  let found: Health | undefined
  for (const health of healths) {
    if (health !== undefined && (found === undefined || RANK[health] > RANK[found])) found = health
  }
  return found
}
