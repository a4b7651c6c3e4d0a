// `POST processes/{name}/close`: an executor reports the outcome of one attempt without asking for more work.

import type { Api, ExtensionAnswer, ExtensionRequest, User } from '@homeostat/apiserver'
import { notFound } from '@homeostat/meta'
import { actingAs } from '../kinds/executor-permissions.ts'
import { PROCESSES } from '../kinds/resources.ts'
import type { ProcessCloser } from '../processes/process-closer.ts'
import type { Callers } from './callers.ts'
import { readClose } from './read-call.ts'

export class CloseCall {
  readonly #api: Api
  readonly #callers: Callers
  readonly #closer: ProcessCloser

  constructor(api: Api, callers: Callers, closer: ProcessCloser) {
    this.#api = api
    this.#callers = callers
    this.#closer = closer
  }

  async respond(request: ExtensionRequest, user: User): Promise<ExtensionAnswer> {
    const { namespace = '', name } = request
    const { executor, outcome } = readClose(await request.json(), name)
    await request.requirePermission(actingAs({ namespace, name: executor }))
    this.#callers.heardByName({ namespace, name: executor })
    if (this.#api.object(PROCESSES, { namespace, name }) === undefined) throw notFound(PROCESSES, name)
    const closed = await this.#closer.close({ namespace, name: executor }, outcome, user)
    return { contentType: 'application/json', body: closed?.bytes.toString() ?? '{}' }
  }
}
