// Installs the definitions that a test needs before it begins.

import type { ApiObject, Client } from '@homeostat/client'
import { type Controlled, installDefinition } from '@homeostat/operator'

export async function installTestDefinitions(
  client: Client,
  definitions: readonly (Controlled | ApiObject)[],
): Promise<void> {
  await Promise.all(definitions.map((one) => installDefinition(client, manifestOf(one))))
}

function manifestOf(one: Controlled | ApiObject): ApiObject {
  if ('metadata' in one) return one
  if (one.definition !== undefined) return one.definition
  throw new Error(
    `testEnv: the controller of ${one.apiVersion} ${one.kind} brings no definition; give its CustomResourceDefinition`,
  )
}
