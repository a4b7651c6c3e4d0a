// `homeostat resource list`: lists the resources of all kinds that have a handler, in one table.

import { type DefinedKind, handledKinds } from '../../access/definitions.ts'
import { listObjects } from '../../access/objects.ts'
import { withServer } from '../../access/session.ts'
import { colonyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { printChanges, printList } from '../listing.ts'
import { noOperands } from '../operands.ts'
import { goneResource, resourceColumns } from './columns.ts'

export const listOptions = ['all-namespaces', 'output', 'selector', 'watch', ...colonyOptions] as const

export async function listResources(
  values: Values<(typeof listOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  noOperands(operands)
  await withServer(values, terminal, async (session) => {
    const all = values['all-namespaces']
    const kinds = await handledKinds(session.client)
    const sources = await Promise.all(
      kinds.map(async (kind) => {
        const selection = {
          namespace: all || !kind.namespaced ? undefined : session.namespace,
          labelSelector: values.selector,
        }
        const watched = { apiVersion: `${kind.group}/${kind.version}`, kind: kind.kind, selection }
        return { watched, first: await listObjects(session.client, kind, selection) }
      }),
    )
    const listing = {
      columns: resourceColumns({ kinds, namespaces: all }),
      output: values.output,
      empty: emptyText(kinds, all ? undefined : session.namespace),
    }
    if (values.watch) return printChanges(session, terminal, listing, sources, goneResource)
    const items = sources.flatMap(({ first }) => first)
    return printList(terminal, listing, items)
  })
  return 0
}

function emptyText(kinds: readonly DefinedKind[], namespace: string | undefined): string {
  if (kinds.length === 0) return 'no kind has a handler yet; `homeostat crd create -f FILE` defines one'
  return namespace === undefined ? 'there are no resources' : `there are no resources in the namespace ${namespace}`
}
