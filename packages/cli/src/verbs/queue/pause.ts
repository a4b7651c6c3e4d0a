// `homeostat queue pause` and `queue resume`: set an annotation of the namespace, which the colony obeys.

import { PAUSED_ANNOTATION } from '@homeostat/executor/protocol'
import { isMissing, notFoundFault } from '../../access/failure.ts'
import { patchObject } from '../../access/objects.ts'
import { NAMESPACES } from '../../access/paths.ts'
import { withServer } from '../../access/session.ts'
import type { colonyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { noOperands } from '../operands.ts'

export async function pauseQueue(
  values: Values<(typeof colonyOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
  pause: boolean,
): Promise<number> {
  noOperands(operands)
  await withServer(values, terminal, async ({ client, namespace: name }) => {
    const patch = { metadata: { annotations: { [PAUSED_ANNOTATION]: pause ? 'true' : null } } }
    try {
      await patchObject(client, NAMESPACES, { namespace: '', name }, patch)
    } catch (error) {
      if (!isMissing(error)) throw error
      throw notFoundFault(
        `there is no namespace ${name}, and so no queue; \`kubectl create namespace ${name}\` makes it`,
      )
    }
    terminal.out(`the queue of ${name} ${pause ? 'is paused; what runs goes on' : 'goes on'}\n`)
  })
  return 0
}
