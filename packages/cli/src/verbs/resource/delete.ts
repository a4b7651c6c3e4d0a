// `homeostat resource delete [KIND/]NAME`: deletes a resource. Its handler cleans up before the object is removed.

import type { ApiObject } from '@homeostat/client'
import { nobodyOnline } from '@homeostat/colony/views'
import { handlerText } from '../../access/definitions.ts'
import { deleteObject, findObject } from '../../access/objects.ts'
import { withServer } from '../../access/session.ts'
import { waitFor } from '../../access/wait.ts'
import { colonyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { oneName } from '../operands.ts'
import { executorsOfType } from '../process/executors-of-type.ts'
import { oneResource, resourceName } from './find-resource.ts'

export const deleteOptions = ['wait', 'timeout', ...colonyOptions] as const

export async function deleteResource(
  values: Values<(typeof deleteOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const word = oneName(operands, 'resource delete')
  await withServer(values, terminal, async (session) => {
    const resource = await oneResource(session, word, 'resource delete')
    const { kind, object } = resource
    const { name = '', namespace = '', uid } = object.metadata
    const called = resourceName(resource)
    const type = kind.handler?.executorType
    await deleteObject(session.client, kind, namespace, name)
    const isGone = (left: ApiObject | undefined) => left === undefined || left.metadata.uid !== uid
    if (isGone(await findObject(session.client, kind, namespace, name))) return terminal.out(`${called} deleted\n`)
    if (!values.wait) {
      return terminal.out(`${called} is being deleted: ${handlerText(kind.handler)} cleans up first\n`)
    }
    await waitFor<ApiObject, void>(session, terminal, {
      apiVersion: object.apiVersion ?? '',
      kind: kind.kind,
      selection: { namespace: namespace || undefined, fieldSelector: `metadata.name=${name}`, metadataOnly: true },
      timeout: values.timeout,
      hints: executorsOfType(namespace, type ?? ''),
      look([left], executors) {
        if (isGone(left)) return { done: undefined }
        return { waiting: `${called} is being deleted: ${nobodyOnline(type, executors) ?? 'its handler cleans up'}` }
      },
    })
    terminal.out(`${called} deleted\n`)
  })
  return 0
}
