// Finds the kind of an object in a file, or throws a Fault that says what to do before it can be created.

import type { ApiObject, Client } from '@homeostat/client'
import type { DefinedKind } from '../../access/definitions.ts'
import type { Document } from '../../access/documents.ts'
import { isMissing } from '../../access/failure.ts'
import { listObjects } from '../../access/objects.ts'
import { Fault } from '../../fault.ts'
import { conditionOf } from '../../output/cells.ts'
import { colonyDefinitionPlace } from '../crd/colony-definition.ts'

const DEFINITION_KINDS = ['ResourceDefinition', 'CustomResourceDefinition']

export async function kindFor(
  client: Client,
  document: Document,
  kinds: readonly DefinedKind[],
  file: string,
): Promise<DefinedKind> {
  const { apiVersion, kind } = document
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
  if (DEFINITION_KINDS.includes(kind) && /^(colonies\.io|apiextensions\.k8s\.io)$/.test(group)) {
    throw new Fault(`${document.metadata.name} is a definition; \`homeostat crd create -f ${file}\` creates it`)
  }
  const found = kinds.find((known) => known.group === group && known.kind === kind)
  if (found === undefined) throw await undefinedKind(client, { group, apiVersion, kind, file })
  const served = found.definition.spec.versions.filter((one) => one.served).map(({ name }) => name)
  if (served.includes(version)) return { ...found, version }
  const right = served.map((name) => `${group}/${name}`).join(' or ')
  throw new Fault(`${kind} is not served in ${apiVersion}; write apiVersion: ${right}`)
}

interface Unknown {
  readonly group: string
  readonly apiVersion: string
  readonly kind: string
  readonly file: string
}

async function undefinedKind(client: Client, { group, apiVersion, kind, file }: Unknown): Promise<Fault> {
  if (!group.includes('.') || group.endsWith('.k8s.io')) {
    return new Fault(`${kind} of ${apiVersion} is a kind of Kubernetes; \`homeostat apply -f ${file}\` creates it`)
  }
  const refused = await refusedDefinition(client, group, kind)
  if (refused !== undefined) return refused
  return new Fault(
    `nothing defines ${kind} in ${apiVersion}; create its definition first: \`homeostat crd create -f DEFINITION-FILE\` ` +
      '(`homeostat crd list` shows those that are there)',
  )
}

/** A definition of colonies.io may exist without being in force. */
async function refusedDefinition(client: Client, group: string, kind: string): Promise<Fault | undefined> {
  for (const place of DEFINITION_KINDS.map(colonyDefinitionPlace)) {
    const definitions = place === undefined ? [] : await listObjects(client, place).catch(noneIfNotServed)
    const definition = definitions.find((object) => defines(object, group, kind))
    if (definition === undefined) continue
    const accepted = conditionOf(definition, 'Accepted')
    const why =
      accepted?.status === 'False' ? `${accepted.reason}: ${accepted.message}` : 'the colony has not come to it'
    return new Fault(`the definition ${definition.metadata.name} of ${kind} is there but not in force: ${why}`)
  }
  return undefined
}

function defines(object: ApiObject, group: string, kind: string): boolean {
  const { spec } = object as { spec?: { group?: string; names?: { kind?: string } } }
  return spec?.group === group && spec.names?.kind === kind
}

function noneIfNotServed(error: unknown): ApiObject[] {
  if (isMissing(error)) return []
  throw error
}
