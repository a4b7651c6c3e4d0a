// Keeps the rules of aggregated ClusterRoles (aggregationRule) equal to the union of the roles that they select.

import { type Clock, ControlLoop, type Log } from '@homeostat/base'
import type { Api, ResourceName } from '../registry/api.ts'
import { aggregatedRules } from './aggregation-plan.ts'

const ROLES: ResourceName = { group: 'rbac.authorization.k8s.io', resource: 'clusterroles' }

/** One key for all roles: they are few, and any change may concern any aggregated role. */
const ALL = 'all'

export class AggregationController {
  readonly #api: Api
  readonly #loop: ControlLoop

  constructor({ api, log, clock }: { readonly api: Api; readonly log: Log; readonly clock?: Clock }) {
    this.#api = api
    this.#loop = new ControlLoop({ name: 'clusterrole-aggregation', log, clock, workers: 1 })
  }

  /** Resolves when the signal has aborted and the last work is done. */
  async start(signal: AbortSignal): Promise<void> {
    const stop = this.#api.follow(ROLES, () => this.#loop.add(ALL))
    this.#loop.add(ALL)
    await this.#loop.run(() => this.#reconcile(), signal)
    stop()
  }

  async #reconcile(): Promise<void> {
    if (!this.#api.serves(ROLES)) return
    const roles = this.#api.list(ROLES)
    const changes = roles.flatMap((role) => {
      const rules = aggregatedRules(role, roles)
      if (rules === undefined) return []
      const { name = '' } = role.metadata
      return [this.#api.change(ROLES, { name }, (newest) => Object.assign(newest, { rules }))]
    })
    const failed = (await Promise.allSettled(changes)).find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
  }
}
