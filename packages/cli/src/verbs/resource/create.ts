// `homeostat resource create -f FILE`: creates resources of defined kinds. `crd create` creates definitions, and
// `homeostat apply` changes resources.

import { isStatusError } from '@homeostat/meta'
import { type DefinedKind, definedKind, readDefinitions } from '../../access/definitions.ts'
import { type Document, readDocuments } from '../../access/documents.ts'
import { createObject, findObject } from '../../access/objects.ts'
import { type Session, withServer } from '../../access/session.ts'
import { Fault } from '../../fault.ts'
import { colonyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { eachDocument } from '../each-document.ts'
import { namespaceOf } from '../namespace-of.ts'
import { noOperands } from '../operands.ts'
import { kindFor } from './kind-for.ts'
import { waitUntilReady } from './wait-ready.ts'

export const createOptions = ['file', 'wait', 'timeout', ...colonyOptions] as const

type CreateValues = Values<(typeof createOptions)[number]>

export async function createResources(
  values: CreateValues,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  noOperands(operands)
  const file = values.file ?? ''
  const documents = await readDocuments(values.file, 'resource create', terminal)
  return withServer(values, terminal, async (session) => {
    const kinds = (await readDefinitions(session.client)).map(definedKind)
    return eachDocument(documents, { url: session.url, terminal }, async (document) => {
      const kind = await kindFor(session.client, document, kinds, file)
      const namespace = kind.namespaced ? namespaceOf(document, values, session, terminal) : ''
      const object = await create(session, kind, { document, namespace, file })
      const where = namespace === '' ? '' : ` in ${namespace}`
      const waits = values.wait && kind.handler !== undefined
      if (waits) await waitUntilReady(session, terminal, { kind, object }, values.timeout)
      terminal.out(`${kind.kind}/${object.metadata.name} created${where}${waits ? ' and ready' : ''}\n`)
      if (kind.handler === undefined) warnUnhandled(terminal, kind)
    })
  })
}

async function create(
  { client }: Session,
  kind: DefinedKind,
  { document, namespace, file }: { document: Document; namespace: string; file: string },
) {
  try {
    return await createObject(client, kind, namespace, document)
  } catch (error) {
    if (!isStatusError(error, 'AlreadyExists')) throw error
    const where = namespace === '' ? '' : ` in ${namespace}`
    const name = `${kind.kind}/${document.metadata.name}`
    const now = await findObject(client, kind, namespace, document.metadata.name ?? '')
    if (now?.metadata.deletionTimestamp !== undefined) {
      const command = `\`homeostat wait --for=delete ${kind.plural}.${kind.group}/${document.metadata.name}${namespace && ` -n ${namespace}`}\``
      throw new Fault(`${name} is being deleted${where}; create it again when it is gone: ${command}`, { cause: error })
    }
    throw new Fault(`${name} exists already${where}; \`homeostat apply -f ${file}\` changes it`, { cause: error })
  }
}

function warnUnhandled(terminal: Terminal, { kind, definition }: DefinedKind): void {
  const text = `nobody handles ${kind}: its definition ${definition.metadata.name} names no handler`
  terminal.error(`Warning: ${text}\n`)
}
