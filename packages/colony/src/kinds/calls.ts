// The calls of executors, and of users about graphs, as extensions of the API. They are served before the colony has started; a call
// waits for that. Of several colonies it gets the one of its namespace.

import type { ApiExtension, ExtensionAnswer, ExtensionRequest, User } from '@homeostat/apiserver'

/** The calls that a colony serves to executors. */
export interface ExecutorCalls {
  assign(request: ExtensionRequest, user: User, signal: AbortSignal): Promise<ExtensionAnswer>
  heartbeat(request: ExtensionRequest): Promise<ExtensionAnswer>
  closeProcess(request: ExtensionRequest, user: User): Promise<ExtensionAnswer>
  writeLog(request: ExtensionRequest): Promise<ExtensionAnswer>
  join(request: ExtensionRequest): Promise<ExtensionAnswer>
  readLog(request: ExtensionRequest, signal: AbortSignal): ExtensionAnswer
  addNodes(request: ExtensionRequest): Promise<ExtensionAnswer>
  readInput(request: ExtensionRequest): Promise<ExtensionAnswer>
  rerunGraph(request: ExtensionRequest): Promise<ExtensionAnswer>
  runSchedule(request: ExtensionRequest): Promise<ExtensionAnswer>
}

type Call = (
  calls: ExecutorCalls,
  request: ExtensionRequest,
  user: User,
  signal: AbortSignal,
) => ReturnType<ApiExtension['connect']>

export function colonyCalls(colony: (namespace: string) => ExecutorCalls | Promise<ExecutorCalls>): ApiExtension[] {
  const call = (resource: string, subresource: string, verb: ApiExtension['verb'], answer: Call): ApiExtension => ({
    group: 'colonies.io',
    version: 'v1',
    resource,
    subresource,
    verb,
    connect: async (request, user, signal) => answer(await colony(request.namespace ?? ''), request, user, signal),
  })
  return [
    call('executors', 'assign', 'create', (one, request, user, signal) => one.assign(request, user, signal)),
    call('bootstraptokens', 'join', 'create', (one, request) => one.join(request)),
    call('executors', 'heartbeat', 'create', (one, request) => one.heartbeat(request)),
    call('processes', 'close', 'create', (one, request, user) => one.closeProcess(request, user)),
    call('processes', 'log', 'create', (one, request) => one.writeLog(request)),
    call('processes', 'nodes', 'create', (one, request) => one.addNodes(request)),
    call('processes', 'input', 'get', (one, request) => one.readInput(request)),
    call('schedules', 'run', 'create', (one, request) => one.runSchedule(request)),
    call('processgraphs', 'rerun', 'create', (one, request) => one.rerunGraph(request)),
    call('processes', 'log', 'get', async (one, request, _user, signal) => one.readLog(request, signal)),
  ]
}
