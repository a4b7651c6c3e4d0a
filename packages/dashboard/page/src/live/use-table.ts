// A table's replica for as long as a screen shows it.

import { useEffect, useMemo } from 'react'
import type { Kind } from '../kinds/kind.ts'
import { useShown } from './shown.ts'
import { TableReplica, type TableSelection, type TableState } from './table-replica.ts'

export function useTable(kind: Kind, selection: TableSelection): TableState {
  const { namespace, labelSelector, fieldSelector } = selection
  const { group, version, resource } = kind
  // biome-ignore lint/correctness/useExhaustiveDependencies: a kind is its group, version and resource
  const replica = useMemo(
    () => new TableReplica(kind, { namespace, labelSelector, fieldSelector }),
    [group, version, resource, namespace, labelSelector, fieldSelector],
  )
  useEffect(() => () => replica.close(), [replica])
  return useShown(replica.state)
}
