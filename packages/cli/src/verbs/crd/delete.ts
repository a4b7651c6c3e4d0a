// `homeostat crd delete NAME [--cascade]`: deletes a CustomResourceDefinition and the definition it was made from.
// Instances are deleted only with --cascade, and first, so that their handlers can clean up.

import type { ApiObject } from '@homeostat/client'
import { type DefinedKind, type Definition, definedKind, handlerText, isEstablished } from '../../access/definitions.ts'
import { countObjects, deleteObject, listMetadata } from '../../access/objects.ts'
import { DEFINITIONS } from '../../access/paths.ts'
import { type Session, withServer } from '../../access/session.ts'
import { waitFor } from '../../access/wait.ts'
import { Fault } from '../../fault.ts'
import { serverOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { oneName } from '../operands.ts'
import { colonyDefinitions, makerOf } from './colony-definition.ts'
import { findDefinition, noDefinition } from './find-definition.ts'

export const deleteOptions = ['cascade', 'timeout', ...serverOptions] as const

type DeleteValues = Values<(typeof deleteOptions)[number]>

/** Concurrent deletes. */
const AT_ONCE = 10

export async function deleteDefinition(
  values: DeleteValues,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const word = oneName(operands, 'crd delete')
  await withServer(values, terminal, async (session) => {
    const definition = await findDefinition(session.client, word)
    if (definition === undefined) return deleteWithoutKind(session, terminal, word)
    await checkUnowned(session, definition)
    if (isEstablished(definition)) await clear(session, terminal, definedKind(definition), values)
    await remove(session, terminal, definition, values.timeout)
    terminal.out(`${definition.metadata.name} deleted\n`)
  })
  return 0
}

/** Deletes a definition of colonies.io that has no CustomResourceDefinition. */
async function deleteWithoutKind({ client }: Session, terminal: Terminal, word: string): Promise<void> {
  const found = word.includes('.') ? await colonyDefinitions(client, word) : []
  if (found.length === 0) throw noDefinition(word)
  for (const { place } of found) await deleteObject(client, place, '', word)
  terminal.out(`${word} deleted\n`)
}

/** Refuses if another definition of colonies.io has the same name: it is unknown which of the two is meant. */
async function checkUnowned({ client }: Session, definition: Definition): Promise<void> {
  if (makerOf(definition) !== undefined) return
  const { name = '' } = definition.metadata
  const [refused] = await colonyDefinitions(client, name)
  if (refused === undefined) return
  throw new Fault(
    `${name} is the name of two definitions, and the kind was not made from that of colonies.io; delete the one you mean: ` +
      `\`homeostat delete ${refused.place.plural}.colonies.io ${name}\` or \`homeostat delete crd ${name}\``,
  )
}

async function clear(session: Session, terminal: Terminal, kind: DefinedKind, values: DeleteValues): Promise<void> {
  const { client } = session
  const count = await countObjects(client, kind)
  if (count === 0) return
  const instances = count === 1 ? '1 instance' : `${count} instances`
  if (!values.cascade) {
    throw new Fault(
      `${kind.definition.metadata.name} has ${instances}; delete them first, or add --cascade to delete them with it ` +
        `(\`homeostat get ${kind.plural}.${kind.group} -A\` shows them)`,
    )
  }
  const objects = await listMetadata(client, kind)
  for (let at = 0; at < objects.length; at += AT_ONCE) {
    await Promise.all(objects.slice(at, at + AT_ONCE).map(({ metadata }) => removeInstance(session, kind, metadata)))
  }
  await waitFor<ApiObject, void>(session, terminal, {
    apiVersion: `${kind.group}/${kind.version}`,
    kind: kind.kind,
    selection: { metadataOnly: true },
    timeout: values.timeout,
    look: (left) => (left.length === 0 ? { done: undefined } : { waiting: leftText(left, count, kind) }),
  })
}

async function removeInstance({ client }: Session, kind: DefinedKind, metadata: ApiObject['metadata']): Promise<void> {
  await deleteObject(client, kind, metadata.namespace ?? '', metadata.name ?? '')
}

function leftText(left: readonly ApiObject[], count: number, { kind, handler }: DefinedKind): string {
  const [first] = left
  const who = handler === undefined ? 'their finalizers' : `an executor for ${handlerText(handler)}`
  const name = [first?.metadata.namespace, first?.metadata.name].filter(Boolean).join('/')
  return `${left.length} of ${count} ${kind} left, ${name} first; they wait for ${who}`
}

/** Deletes the definition of colonies.io first, else the colony would create the CustomResourceDefinition again. */
async function remove(
  session: Session,
  terminal: Terminal,
  definition: Definition,
  timeout: number | undefined,
): Promise<void> {
  const { name = '' } = definition.metadata
  const maker = makerOf(definition)
  if (maker === undefined) await deleteObject(session.client, DEFINITIONS, '', name)
  else await deleteObject(session.client, maker.place, '', maker.name)
  await waitFor<ApiObject, void>(session, terminal, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    selection: { fieldSelector: `metadata.name=${name}`, metadataOnly: true },
    timeout,
    look: (left) => (left.length === 0 ? { done: undefined } : { waiting: `${name} is being deleted` }),
  })
}
