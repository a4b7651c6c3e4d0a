// Installs the definitions of an operator before its controllers start. An operator that may not do so, since they were
// installed with its manifests, goes on when its kinds are served.

import { messageOf } from '@homeostat/base'
import type { ApiObject } from '@homeostat/client'
import { isStatusError } from '@homeostat/meta'
import type { Installed } from './definition/install-definition.ts'
import type { OperatorHost } from './host.ts'
import type { RunOptions } from './run-options.ts'
import type { ServerWait } from './runtime/await-server.ts'
import type { Controlled } from './runtime/controlled.ts'

export async function installDefinitions(
  wait: ServerWait,
  controlled: readonly Controlled[],
  install: RunOptions['install'],
  host: OperatorHost | undefined,
): Promise<void> {
  const definitions = controlled.map(({ definition }) => definition).filter((one) => one !== undefined)
  if (install === false || definitions.length === 0) return
  await Promise.all(
    definitions.map(async (definition) => {
      const { name = '' } = definition.metadata
      try {
        const installed = await installOne(wait, definition, install, host)
        if (host?.installed) host.installed({ name, ...installed })
        else logInstalled(wait, name, installed)
      } catch (error) {
        // Who asks for the installation gets it or an error.
        if (install !== undefined || !isStatusError(error, 'Forbidden')) throw error
        const fields = { definition: name, error: messageOf(error) }
        wait.log.info(fields, 'the definition is left as it is: the operator may not install it')
        // Late: operators without definitions of their own do not need it.
        const { awaitDefinition } = await import('./definition/install-definition.ts')
        await awaitDefinition(wait.client, definition, { signal: wait.signal })
      }
    }),
  )
}

function logInstalled({ log }: ServerWait, name: string, { written, differences }: Installed): void {
  const fields = { definition: name, ...(differences.length > 0 && { differences }) }
  if (written !== 'nothing') log.info(fields, `the definition was ${written}`)
}

async function installOne(
  { client, signal }: ServerWait,
  definition: ApiObject,
  install: RunOptions['install'],
  host: OperatorHost | undefined,
): Promise<Installed> {
  // Late, as above.
  const { installDefinition, isBreakingChangeError } = await import('./definition/install-definition.ts')
  const write = (allowBreaking?: boolean) => installDefinition(client, definition, { signal, allowBreaking })
  const { allowBreaking } = typeof install === 'object' ? install : {}
  try {
    return await write(allowBreaking)
  } catch (error) {
    // Decided outside the installation, whose time is limited: the host may ask a person.
    const { name = '' } = definition.metadata
    if (!isBreakingChangeError(error) || !(await host?.allowBreaking?.(name, error.changes))) throw error
    return write(true)
  }
}
