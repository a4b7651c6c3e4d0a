// Finds a definition by its full name, its kind, its plural or a short name.

import type { Client } from '@homeostat/client'
import { type Definition, isCalled, readDefinitions } from '../../access/definitions.ts'
import { notFoundFault } from '../../access/failure.ts'
import { findObject } from '../../access/objects.ts'
import { DEFINITIONS } from '../../access/paths.ts'
import { Fault } from '../../fault.ts'

/** Undefined when there is none. */
export async function findDefinition(client: Client, word: string): Promise<Definition | undefined> {
  if (word.includes('.')) {
    const named = await findObject<Definition>(client, DEFINITIONS, '', word)
    if (named !== undefined) return named
  }
  const [found, ...more] = (await readDefinitions(client)).filter((definition) => isCalled(definition, word))
  if (found !== undefined && more.length > 0) {
    const names = [found, ...more].map(({ metadata }) => metadata.name).join(', ')
    throw new Fault(`'${word}' may be one of ${names}; write its full name`)
  }
  return found
}

export function noDefinition(word: string): Fault {
  return notFoundFault(`there is no definition '${word}'; homeostat crd list shows those that are there`)
}
