// The calls of executors, and of users about graphs, as extensions of the API. They are served before the colony has started; a call waits for that.

import type { ApiExtension, ExtensionAnswer, ExtensionRequest } from '@homeostat/apiserver'

/** The calls that a colony serves to executors. */
export interface ExecutorCalls {
  assign(request: ExtensionRequest, signal: AbortSignal): Promise<ExtensionAnswer>
  heartbeat(request: ExtensionRequest): Promise<ExtensionAnswer>
  closeProcess(request: ExtensionRequest): Promise<ExtensionAnswer>
  writeLog(request: ExtensionRequest): Promise<ExtensionAnswer>
  readLog(request: ExtensionRequest, signal: AbortSignal): ExtensionAnswer
  addNodes(request: ExtensionRequest): Promise<ExtensionAnswer>
  readInput(request: ExtensionRequest): Promise<ExtensionAnswer>
  rerunGraph(request: ExtensionRequest): Promise<ExtensionAnswer>
}

type Call = (
  calls: ExecutorCalls,
  request: ExtensionRequest,
  signal: AbortSignal,
) => ReturnType<ApiExtension['connect']>

export function colonyCalls(colony: () => ExecutorCalls | Promise<ExecutorCalls>): ApiExtension[] {
  const call = (resource: string, subresource: string, verb: ApiExtension['verb'], answer: Call): ApiExtension => ({
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
    call('processes', 'nodes', 'create', (one, request) => one.addNodes(request)),
    call('processes', 'input', 'get', (one, request) => one.readInput(request)),
    call('processgraphs', 'rerun', 'create', (one, request) => one.rerunGraph(request)),
    call('processes', 'log', 'get', async (one, request, signal) => one.readLog(request, signal)),
  ]
}
