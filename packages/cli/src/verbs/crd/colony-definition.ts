// The definitions of colonies.io from which the colony makes CustomResourceDefinitions of the same name.

import type { ApiObject, Client } from '@homeostat/client'
import type { Definition } from '../../access/definitions.ts'
import { findObject } from '../../access/objects.ts'
import type { Place } from '../../access/paths.ts'

const PLURALS = {
  ResourceDefinition: 'resourcedefinitions',
  CustomResourceDefinition: 'customresourcedefinitions',
} as const

export interface ColonyDefinition {
  readonly place: Place
  readonly object: ApiObject
}

/** Undefined for a kind that is none of them. */
export function colonyDefinitionPlace(kind: string): Place | undefined {
  if (!Object.hasOwn(PLURALS, kind)) return undefined
  return { group: 'colonies.io', version: 'v1', plural: PLURALS[kind as keyof typeof PLURALS], namespaced: false }
}

/** The place and name of what the CustomResourceDefinition was made from. */
export function makerOf({ metadata }: Definition): { readonly place: Place; readonly name: string } | undefined {
  for (const { apiVersion, kind, name } of metadata.ownerReferences ?? []) {
    const place = apiVersion === 'colonies.io/v1' ? colonyDefinitionPlace(kind) : undefined
    if (place !== undefined) return { place, name }
  }
  return undefined
}

/** Those of that name, also when nothing was made of them. */
export async function colonyDefinitions(client: Client, name: string): Promise<ColonyDefinition[]> {
  const found = await Promise.all(
    Object.keys(PLURALS).map(async (kind) => {
      const place = colonyDefinitionPlace(kind)
      const object = place && (await findObject(client, place, '', name))
      return place && object ? [{ place, object }] : []
    }),
  )
  return found.flat()
}
