// `homeostat crd create -f FILE`: creates definitions of colonies.io or CustomResourceDefinitions, and waits until the
// kinds are served, so that the next command can use them.

import { isStatusError } from '@homeostat/meta'
import { handlerOf, handlerText } from '../../access/definitions.ts'
import { type Document, readDocuments } from '../../access/documents.ts'
import { isNotServed } from '../../access/failure.ts'
import { createObject, deleteObject } from '../../access/objects.ts'
import { DEFINITIONS, type Place } from '../../access/paths.ts'
import { waitUntilServed } from '../../access/served-definition.ts'
import { type Session, withServer } from '../../access/session.ts'
import { Fault } from '../../fault.ts'
import { serverOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { eachDocument } from '../each-document.ts'
import { noOperands } from '../operands.ts'
import { colonyDefinitionPlace } from './colony-definition.ts'

export const createOptions = ['file', 'timeout', ...serverOptions] as const

type CreateValues = Values<(typeof createOptions)[number]>

const DEFAULT_TIMEOUT_MS = 20_000

export async function createDefinitions(
  values: CreateValues,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  noOperands(operands)
  const file = values.file ?? ''
  const documents = await readDocuments(values.file, 'crd create', terminal)
  return withServer(values, terminal, (session) =>
    eachDocument(documents, { url: session.url, terminal }, async (document) => {
      const name = await create(session, document, file)
      const timeout = values.timeout ?? DEFAULT_TIMEOUT_MS
      const served = await waitUntilServed(session, terminal, { ...document, name }, timeout)
      if ('refusal' in served) {
        await removeRefused(session, document, file)
        throw new Fault(`${name} was not accepted, and nothing was created: ${served.refusal}`)
      }
      const { definition } = served
      const handler = handlerText(handlerOf(definition))
      const by = handler === '' ? 'without a handler' : `handled by ${handler}`
      terminal.out(`${name} created: ${definition.spec.names.kind}, ${by}\n`)
    }),
  )
}

async function create({ client }: Session, document: Document, file: string): Promise<string> {
  const place = placeOf(document, file)
  const name = document.metadata.name ?? ''
  try {
    await createObject(client, place, '', document)
    return name
  } catch (error) {
    if (isStatusError(error, 'AlreadyExists')) {
      throw new Fault(`the definition ${name} exists already; \`homeostat apply -f ${file}\` changes it`, {
        cause: error,
      })
    }
    if (isNotServed(error)) throw notAColony(document, error)
    throw error
  }
}

/** Deletes a definition that was not accepted, since it would occupy the name without effect. */
async function removeRefused({ client }: Session, document: Document, file: string): Promise<void> {
  await deleteObject(client, placeOf(document, file), '', document.metadata.name ?? '')
}

function placeOf({ apiVersion, kind, metadata }: Document, file: string): Place {
  if (apiVersion === 'apiextensions.k8s.io/v1' && kind === 'CustomResourceDefinition') return DEFINITIONS
  const place = apiVersion === 'colonies.io/v1' ? colonyDefinitionPlace(kind) : undefined
  if (place !== undefined) return place
  throw new Fault(
    `${kind}/${metadata.name} is no definition; a resource is created with \`homeostat resource create -f ${file}\`, ` +
      `anything else with \`homeostat apply -f ${file}\``,
  )
}

function notAColony({ apiVersion, kind }: Document, cause: unknown): Fault {
  return new Fault(
    `this server does not serve ${kind} of ${apiVersion}; \`homeostat up\` starts one that does, ` +
      'and any server takes an apiextensions.k8s.io/v1 CustomResourceDefinition with the annotation colonies.io/handler',
    { cause },
  )
}
