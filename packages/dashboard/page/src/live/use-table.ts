// Replicas of a kind's Table for as long as a screen shows them: one, or one for each of several namespaces.

import { useCallback, useEffect, useMemo } from 'react'
import type { Kind } from '../kinds/kind.ts'
import { joinTables } from './join-tables.ts'
import { Shown, useShown } from './shown.ts'
import { EMPTY_TABLE, TableReplica, type TableSelection, type TableState } from './table-replica.ts'

export function useTable(kind: Kind, selection: TableSelection): TableState {
  return useTables(kind, [selection.namespace], selection).state
}

export interface Tables {
  readonly state: TableState
  /** The server's next page, or the first one, of a table that is too large to hold. */
  readonly turn: (to: 'next' | 'first') => void
}

/** `[undefined]` stands for all namespaces. */
export function useTables(
  kind: Kind,
  namespaces: readonly (string | undefined)[],
  { labelSelector, fieldSelector, paths }: Omit<TableSelection, 'namespace'>,
): Tables {
  const key = JSON.stringify([kind.group, kind.version, kind.resource, namespaces, labelSelector, fieldSelector, paths])
  const joined = useMemo(() => new Shown<TableState>(EMPTY_TABLE), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for all of it
  const replicas = useMemo(() => {
    const places = kind.namespaced ? namespaces : [undefined]
    return places.map((namespace) => new TableReplica(kind, { namespace, labelSelector, fieldSelector, paths }))
  }, [key])
  useEffect(() => {
    const join = () => joined.set(joinTables(replicas.map(({ state }) => state.value)))
    join()
    const ends = replicas.map(({ state }) => state.subscribe(join))
    return () => {
      for (const end of ends) end()
      for (const replica of replicas) replica.close()
    }
  }, [replicas, joined])
  const turn = useCallback(
    (to: 'next' | 'first') => {
      for (const replica of replicas) void replica.turn(to)
    },
    [replicas],
  )
  return { state: useShown(joined), turn }
}
