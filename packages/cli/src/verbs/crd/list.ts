// `homeostat crd list`: lists all CustomResourceDefinitions, also those made from definitions of colonies.io.

import { type Definition, handlerOf, handlerText, readDefinitions, servedVersion } from '../../access/definitions.ts'
import { withServer } from '../../access/session.ts'
import { serverOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import { AGE } from '../../output/cells.ts'
import type { Column } from '../../output/table.ts'
import type { Terminal } from '../../terminal.ts'
import { printChanges, printList } from '../listing.ts'
import { noOperands } from '../operands.ts'

export const listOptions = ['output', 'selector', 'watch', ...serverOptions] as const

const COLUMNS: readonly Column<Definition>[] = [
  { header: 'NAME', text: ({ metadata }) => metadata.name ?? '', firm: true },
  { header: 'KIND', text: ({ spec }) => spec.names.kind },
  { header: 'VERSION', text: servedVersion },
  { header: 'SCOPE', text: ({ spec }) => spec.scope },
  { header: 'HANDLER', text: (definition) => handlerText(handlerOf(definition)) },
  { header: 'INTERVAL', text: (definition) => intervalText(definition), wide: true },
  { header: 'SHORT-NAMES', text: ({ spec }) => spec.names.shortNames?.join(',') ?? '', wide: true },
  { header: 'MADE-BY', text: ({ metadata }) => metadata.ownerReferences?.[0]?.kind ?? '', wide: true },
  AGE,
]

export async function listDefinitions(
  values: Values<(typeof listOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  noOperands(operands)
  await withServer(values, terminal, async (session) => {
    const { output, selector } = values
    const definitions = await readDefinitions(session.client, selector)
    const listing = {
      columns: COLUMNS,
      output,
      empty: 'there are no definitions; homeostat crd create -f FILE makes one',
    }
    if (!values.watch) return printList(terminal, listing, definitions)
    const watched = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      selection: { labelSelector: selector },
    }
    return printChanges(session, terminal, listing, [{ watched, first: definitions }], (definition) => definition)
  })
  return 0
}

function intervalText(definition: Definition): string {
  const seconds = handlerOf(definition)?.reconcileInterval
  return seconds ? `${seconds}s` : ''
}
