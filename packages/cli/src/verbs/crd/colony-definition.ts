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

/** Undefined for any other kind. */
export function colonyDefinitionPlace(kind: string): Place | undefined {
  if (!Object.hasOwn(PLURALS, kind)) return undefined
  return { group: 'colonies.io', version: 'v1', plural: PLURALS[kind as keyof typeof PLURALS], namespaced: false }
}

/** The path and name of the definition from which the CustomResourceDefinition was made. */
export function makerOf({ metadata }: Definition): { readonly place: Place; readonly name: string } | undefined {
  for (const { apiVersion, kind, name } of metadata.ownerReferences ?? []) {
    const place = apiVersion === 'colonies.io/v1' ? colonyDefinitionPlace(kind) : undefined
    if (place !== undefined) return { place, name }
  }
  return undefined
}

/** The definitions of that name, also those without a CustomResourceDefinition. */
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
