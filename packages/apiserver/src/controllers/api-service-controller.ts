// Keeps one APIService for each group and version that is served; clients list them for an overview.

import { ControlLoop, type Log } from '@homeostat/base'
import { isStatusError } from '@homeostat/meta'
import type { Api, ResourceName } from '../registry/api.ts'
import type { ResourceTypes } from '../registry/resource-types.ts'
import { planApiServices } from './api-service-plan.ts'

const API_SERVICES: ResourceName = { group: 'apiregistration.k8s.io', resource: 'apiservices' }
/** One key for all: a change of a definition may add one APIService and remove another. */
const ALL = 'all'
const MOST = 10_000

interface ApiServiceOptions {
  readonly api: Api
  readonly types: ResourceTypes
  readonly log: Log
}

export class ApiServiceController {
  readonly #options: ApiServiceOptions
  readonly #loop: ControlLoop

  constructor(options: ApiServiceOptions) {
    this.#options = options
    this.#loop = new ControlLoop({ name: 'api-services', log: options.log, workers: 1 })
  }

  async start(signal: AbortSignal): Promise<void> {
    const stop = this.#options.types.onChange(() => this.#loop.add(ALL))
    this.#loop.add(ALL)
    await this.#loop.run(() => this.#reconcile(), signal)
    stop()
  }

  async #reconcile(): Promise<void> {
    const { api, types } = this.#options
    if (!types.find(API_SERVICES.group, 'v1', API_SERVICES.resource)) return
    const existing = new Set(api.names(API_SERVICES, undefined, MOST).map(({ name }) => name))
    const { create, remove } = planApiServices(types.all(), existing)
    await Promise.all([
      ...create.map((object) => unless('AlreadyExists', api.create(API_SERVICES, object))),
      ...remove.map((name) => unless('NotFound', api.delete(API_SERVICES, { name }))),
    ])
  }
}

async function unless(reason: 'AlreadyExists' | 'NotFound', write: Promise<unknown>): Promise<void> {
  try {
    await write
  } catch (error) {
    if (!isStatusError(error, reason)) throw error
  }
}
