// `homeostat crd get NAME`: prints a summary of a definition, or the whole object.

import { type Definition, definedKind, isEstablished } from '../../access/definitions.ts'
import { countObjects } from '../../access/objects.ts'
import { withServer } from '../../access/session.ts'
import { serverOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import { printObject, showsObjects } from '../../output/objects.ts'
import type { Terminal } from '../../terminal.ts'
import { oneName } from '../operands.ts'
import { findDefinition, noDefinition } from './find-definition.ts'

export const getOptions = ['output', ...serverOptions] as const

export async function getDefinition(
  values: Values<(typeof getOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const word = oneName(operands, 'crd get')
  const { output } = values
  await withServer(values, terminal, async ({ client }) => {
    const definition = await findDefinition(client, word)
    if (definition === undefined) throw noDefinition(word)
    if (showsObjects(output)) return printObject(terminal, output, definition)
    const instances = isEstablished(definition) ? await countObjects(client, definedKind(definition)) : 0
    for (const [name, value] of details(definition, instances)) terminal.out(`${`${name}:`.padEnd(18)}${value}\n`)
  })
  return 0
}

function details(definition: Definition, instances: number): (readonly [string, string])[] {
  const { metadata, spec } = definition
  const { handler, version } = definedKind(definition)
  const { shortNames = [] } = spec.names
  const interval = handler?.reconcileInterval
  return [
    ['Name', metadata.name ?? ''],
    ['Group', spec.group],
    ['Version', version],
    ['Kind', spec.names.kind],
    ['Scope', spec.scope],
    ...(shortNames.length > 0 ? [['Short Names', shortNames.join(', ')] as const] : []),
    ['Handler Type', handler?.executorType ?? 'none'],
    ['Handler Function', handler?.functionName ?? 'none'],
    ...(interval ? [['Interval', `${interval}s`] as const] : []),
    ['Established', isEstablished(definition) ? 'yes' : 'no'],
    ['Instances', `${instances}`],
  ]
}
