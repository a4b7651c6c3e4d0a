// What the arguments of a verb refer to: objects by name, whole collections, or the objects of files. The verbs that kubectl
// has, too, call it; the rules and their words are kubectl's.

import { writeJson } from '@homeostat/meta'
import { readFiles } from '../../access/documents.ts'
import type { ListSelection } from '../../access/objects.ts'
import { type ServedKind, ServedKinds } from '../../access/served-kinds.ts'
import type { Session } from '../../access/session.ts'
import { Fault } from '../../fault.ts'
import type { Terminal } from '../../terminal.ts'
import { namespaceOf } from '../namespace-of.ts'
import type { Problems } from './problems.ts'

export interface Reference {
  readonly kind: ServedKind
  /** Undefined for a cluster-wide kind, and for all namespaces. */
  readonly namespace: string | undefined
  /** Undefined for all objects of the selection. */
  readonly name: string | undefined
  /** The place in a file that names it. */
  readonly where?: string
}

export interface NamedReference extends Reference {
  readonly name: string
}

export interface Referring {
  readonly filename: readonly string[]
  readonly recursive: boolean
  readonly namespace?: string | undefined
  readonly 'all-namespaces'?: boolean
  readonly selector?: string | undefined
  readonly 'field-selector'?: string | undefined
  readonly all?: boolean
}

export interface Asked {
  readonly session: Session
  readonly terminal: Terminal
  readonly problems: Problems
}

const MIXED =
  'there is no need to specify a resource type as a separate argument when passing arguments in resource/name form ' +
  "(e.g. 'homeostat get resource/<resource_name>' instead of 'homeostat get resource resource/<resource_name>'"

/** The labels and fields by which a collection is selected. */
export function selectionOf(values: Referring): ListSelection {
  return { labelSelector: values.selector, fieldSelector: values['field-selector'] }
}

export async function referencesOf(
  values: Referring,
  operands: readonly string[],
  { session, terminal, problems }: Asked,
): Promise<Reference[]> {
  if (values.filename.length === 0) return fromWords(values, operands, session)
  if (operands.length > 0)
    throw new Fault(
      'when paths, URLs, or stdin is provided as input, you may not specify a resource by arguments as well',
    )
  const { documents, faults } = await readFiles(values.filename, terminal, values)
  for (const fault of faults) problems.report(fault)
  const kinds = await ServedKinds.read(session.client)
  const references: Reference[] = []
  for (const { object, where } of documents) {
    await problems.attempt(async () => {
      const kind = kinds.of(object.apiVersion, object.kind)
      if (kind === undefined) throw noSuchKind(object)
      const namespace = kind.namespaced ? namespaceOf(object, values, session, terminal) : undefined
      references.push({ kind, namespace, name: object.metadata.name, where })
    }, where)
  }
  return references
}

export function noSuchKind({
  apiVersion,
  kind,
  metadata,
}: {
  apiVersion: string
  kind: string
  metadata?: { name?: string }
}): Fault {
  const name = writeJson(metadata?.name ?? '')
  return new Fault(
    `resource mapping not found for name: ${name}: no matches for kind "${kind}" in version "${apiVersion}"; ensure CRDs are installed first`,
  )
}

async function fromWords(values: Referring, operands: readonly string[], session: Session): Promise<Reference[]> {
  const everywhere = values['all-namespaces'] === true
  const [first = '', ...names] = operands
  if (operands.some((word) => word.includes('/')) !== operands.every((word) => word.includes('/'))) {
    throw new Fault(MIXED)
  }
  const isNamed = names.length > 0 || first.includes('/')
  const isSelected = values.selector !== undefined || values.all === true
  if (isNamed && isSelected) throw new Fault('name cannot be provided when a selector is specified')
  if (isNamed && everywhere) throw new Fault('a resource cannot be retrieved by name across all namespaces')
  const kinds = await ServedKinds.read(session.client)
  const reference = (kind: ServedKind, name?: string): Reference => ({
    kind,
    namespace: kind.namespaced && !everywhere ? session.namespace : undefined,
    name,
  })
  if (first.includes('/'))
    return operands.map((word) => pair(word)).map(([kind, name]) => reference(kinds.one(kind), name))
  const meant = kinds.named(first)
  if (names.length === 0) return meant.map((kind) => reference(kind))
  return meant.flatMap((kind) => names.map((name) => reference(kind, name)))
}

function pair(word: string): [string, string] {
  const [kind = '', name = '', ...more] = word.split('/')
  if (kind === '' || name === '' || more.length > 0) {
    throw new Fault(`arguments in resource/name form must have a single resource and name: ${word}`)
  }
  return [kind, name]
}
