// Finds a resource by its name among all kinds that have a handler.

import type { ApiObject } from '@homeostat/client'
import { type DefinedKind, definedKind, isCalled, readDefinitions } from '../../access/definitions.ts'
import { notFoundFault } from '../../access/failure.ts'
import { findObject, listMetadata } from '../../access/objects.ts'
import type { Session } from '../../access/session.ts'
import { Fault } from '../../fault.ts'

export interface FoundResource {
  readonly kind: DefinedKind
  readonly object: ApiObject
}

/** `word` is NAME or KIND/NAME. Returns at least one, and several if several kinds have an object of that name. */
export async function findResources(session: Session, word: string): Promise<FoundResource[]> {
  const { client, namespace } = session
  const { kinds, name } = await meant(session, word)
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const object = await findObject(client, kind, namespace, name)
      return object === undefined ? [] : [{ kind, object }]
    }),
  )
  const resources = found.flat()
  if (resources.length === 0) throw await missing(session, kinds, name)
  return resources
}

export async function oneResource(session: Session, word: string, verb: string): Promise<FoundResource> {
  const [first, ...more] = await findResources(session, word)
  if (first === undefined) throw new Error('what is not found is thrown')
  if (more.length === 0) return first
  const names = [first, ...more].map(resourceName)
  throw new Fault(`${names.length} resources have this name; say which: homeostat ${verb} ${names.join(', or ')}`)
}

/** `KIND/NAME` */
export function resourceName({ kind, object }: FoundResource): string {
  return `${kind.kind}/${object.metadata.name}`
}

async function meant({ client }: Session, word: string): Promise<{ kinds: DefinedKind[]; name: string }> {
  const slash = word.indexOf('/')
  const name = word.slice(slash + 1)
  const definitions = await readDefinitions(client)
  const kinds = definitions.map(definedKind).filter(({ handler }) => handler !== undefined)
  if (slash < 0) {
    if (kinds.length > 0) return { kinds, name }
    throw new Fault('no kind has a handler yet; `homeostat crd create -f FILE` defines one')
  }
  const kind = word.slice(0, slash)
  const called = kinds.filter(({ definition }) => isCalled(definition, kind))
  if (called.length > 0) return { kinds: called, name }
  const unhandled = definitions.find((definition) => isCalled(definition, kind))
  if (unhandled === undefined)
    throw notFoundFault(`there is no kind '${kind}'; homeostat crd list shows those there are`)
  const { plural, group } = definedKind(unhandled)
  throw new Fault(`${kind} has no handler; \`homeostat get ${plural}.${group} ${name}\` shows its objects`)
}

async function missing({ client, namespace }: Session, kinds: readonly DefinedKind[], name: string): Promise<Fault> {
  const fieldSelector = `metadata.name=${name}`
  const elsewhere = await Promise.all(kinds.map((kind) => listMetadata(client, kind, { fieldSelector })))
  const [first] = elsewhere.flat()
  const hint = first?.metadata.namespace
    ? `; there is one in -n ${first.metadata.namespace}`
    : `; \`homeostat resource list -n ${namespace}\` shows those there are`
  return notFoundFault(`no resource '${name}' is in the namespace ${namespace}${hint}`)
}
