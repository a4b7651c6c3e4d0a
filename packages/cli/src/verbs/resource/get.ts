// `homeostat resource get [KIND/]NAME`: finds a resource among all handled kinds.

import { withServer } from '../../access/session.ts'
import { colonyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import { printObject, showsObjects } from '../../output/objects.ts'
import type { Terminal } from '../../terminal.ts'
import { printChanges, printList } from '../listing.ts'
import { oneName } from '../operands.ts'
import { goneResource, resourceColumns } from './columns.ts'
import { type FoundResource, findResources } from './find-resource.ts'

export const getOptions = ['output', 'watch', ...colonyOptions] as const

export async function getResource(
  values: Values<(typeof getOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const word = oneName(operands, 'resource get')
  await withServer(values, terminal, async (session) => {
    const found = await findResources(session, word)
    const [only, ...more] = found
    const { output } = values
    const kinds = found.map(({ kind }) => kind)
    const columns = resourceColumns({ kinds, qualified: more.length > 0 })
    const listing = { columns, output, empty: '' }
    if (values.watch) return printChanges(session, terminal, listing, found.map(sourceOf), goneResource)
    if (only !== undefined && more.length === 0 && showsObjects(output))
      return printObject(terminal, output, only.object)
    return printList(
      terminal,
      listing,
      found.map(({ object }) => object),
    )
  })
  return 0
}

function sourceOf({ kind, object }: FoundResource) {
  const selection = { namespace: object.metadata.namespace, fieldSelector: `metadata.name=${object.metadata.name}` }
  return { watched: { apiVersion: object.apiVersion ?? '', kind: kind.kind, selection }, first: [object] }
}
