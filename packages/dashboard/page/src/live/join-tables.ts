// Several tables of one kind as one: those of several namespaces. Pure.

import type { TableState } from './table-replica.ts'

export function joinTables(states: readonly TableState[]): TableState {
  const [first] = states
  if (first === undefined || states.length === 1) return first ?? EMPTY
  return {
    columns: states.find(({ columns }) => columns.length > 0)?.columns ?? [],
    rows: states.flatMap(({ rows }) => rows),
    phase: phaseOf(states),
    remaining: states.reduce<number | undefined>((sum, { remaining }) => add(sum, remaining), 0),
    hasNext: states.some(({ phase, hasNext }) => phase === 'partial' && hasNext),
    page: Math.max(...states.map(({ page }) => page)),
    trouble: states.find(({ trouble }) => trouble !== undefined)?.trouble,
  }
}

const EMPTY: TableState = {
  columns: [],
  rows: [],
  phase: 'live',
  remaining: 0,
  hasNext: false,
  page: 0,
  trouble: undefined,
}

function add(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b
}

function phaseOf(states: readonly TableState[]): TableState['phase'] {
  if (states.some(({ phase }) => phase === 'loading')) return 'loading'
  return states.some(({ phase }) => phase === 'partial') ? 'partial' : 'live'
}
