// Waits until a resource is ready at its current generation, and shows meanwhile what is missing.

import type { ApiObject } from '@homeostat/client'
import { nobodyOnline } from '@homeostat/colony/views'
import { notFoundFault } from '../../access/failure.ts'
import type { Session } from '../../access/session.ts'
import { waitFor } from '../../access/wait.ts'
import { conditionOf } from '../../output/cells.ts'
import type { Terminal } from '../../terminal.ts'
import { executorsOfType } from '../process/executors-of-type.ts'
import { observedGeneration } from './columns.ts'
import { type FoundResource, resourceName } from './find-resource.ts'

export async function waitUntilReady(
  session: Session,
  terminal: Terminal,
  resource: FoundResource,
  timeout: number | undefined,
): Promise<void> {
  const { kind, object } = resource
  const { name, namespace } = object.metadata
  const called = resourceName(resource)
  await waitFor<ApiObject, void>(session, terminal, {
    apiVersion: object.apiVersion ?? '',
    kind: kind.kind,
    selection: { namespace, fieldSelector: `metadata.name=${name}` },
    timeout,
    hints: executorsOfType(namespace ?? '', kind.handler?.executorType ?? ''),
    look([now], executors) {
      if (now === undefined) throw notFoundFault(`${called} was deleted`)
      if (isReady(now)) return { done: undefined }
      const why = nobodyOnline(kind.handler?.executorType, executors) ?? readyText(now)
      return { waiting: `${called} is not ready: ${why}` }
    },
  })
}

export function isReady(object: ApiObject): boolean {
  const { generation } = object.metadata
  return conditionOf(object, 'Ready')?.status === 'True' && observedGeneration(object) === generation
}

function readyText(object: ApiObject): string {
  if (observedGeneration(object) !== object.metadata.generation) return 'its handler has not seen the last change'
  const ready = conditionOf(object, 'Ready')
  return ready?.message || ready?.reason || 'no word from its handler'
}
