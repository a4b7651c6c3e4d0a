// The calls of executors as parts of the API. They are there before the colony is: who calls first waits for it.

import type { ApiExtension, ExtensionRequest } from '@homeostat/apiserver'
import type { Colony } from '../server/colony.ts'

type Answer = (colony: Colony, request: ExtensionRequest, signal: AbortSignal) => ReturnType<ApiExtension['connect']>

export function colonyCalls(colony: () => Colony | Promise<Colony>): ApiExtension[] {
  const call = (resource: string, subresource: string, verb: ApiExtension['verb'], answer: Answer): ApiExtension => ({
    group: 'colonies.io',
    version: 'v1',
    resource,
    subresource,
    verb,
    connect: async (request, _user, signal) => answer(await colony(), request, signal),
  })
  return [
    call('executors', 'assign', 'create', (one, request, signal) => one.assign(request, signal)),
    call('executors', 'heartbeat', 'create', (one, request) => one.heartbeat(request)),
    call('processes', 'close', 'create', (one, request) => one.closeProcess(request)),
    call('processes', 'log', 'create', (one, request) => one.writeLog(request)),
    call('processes', 'log', 'get', async (one, request, signal) => one.readLog(request, signal)),
  ]
}
