// Keeps the status of ResourceQuotas: what is allowed, and what is used. Writes only when that changed; what is refused does
// not depend on it.

import { type Clock, ControlLoop, type Log } from '@homeostat/base'
import { deepEqual, formatQuantity, type KubeObject } from '@homeostat/meta'
import type { QuotaLedger } from '../admission/quota/quota-ledger.ts'
import { fieldsOf } from '../builtin/fields-of.ts'
import type { Api, ResourceName } from '../registry/api.ts'

const QUOTAS: ResourceName = { group: '', resource: 'resourcequotas' }
/** Writes in a row change a status once. */
const SETTLE_MS = 50

interface QuotaControllerOptions {
  readonly api: Api
  readonly ledger: QuotaLedger
  readonly log: Log
  readonly clock?: Clock
}

export class QuotaController {
  readonly #api: Api
  readonly #ledger: QuotaLedger
  readonly #loop: ControlLoop

  constructor({ api, ledger, log, clock }: QuotaControllerOptions) {
    this.#api = api
    this.#ledger = ledger
    this.#loop = new ControlLoop({ name: 'quota', log, clock })
  }

  /** Resolves when the signal has aborted and the last work is done. */
  async start(signal: AbortSignal): Promise<void> {
    const stops = [
      this.#api.subscribe(QUOTAS, ({ namespace, name }) => this.#loop.add(`${namespace}/${name}`)),
      this.#api.follow('all', ({ resource, object, previous }) => {
        const place = (object ?? previous)?.name ?? ''
        const slash = place.indexOf('/')
        if (slash > 0 && resource.resource !== QUOTAS.resource) this.#lookAgain(place.slice(0, slash))
      }),
    ]
    await this.#loop.run((key) => this.#reconcile(key), signal)
    for (const stop of stops) stop()
  }

  #lookAgain(namespace: string): void {
    if (!this.#ledger.limits(namespace)) return
    for (const { name } of this.#api.names(QUOTAS, namespace, MOST))
      this.#loop.addAfter(`${namespace}/${name}`, SETTLE_MS)
  }

  async #reconcile(key: string): Promise<void> {
    const [namespace = '', name = ''] = key.split('/')
    const used = this.#ledger.used(namespace, name)
    if (used === undefined) return
    const amounts = Object.fromEntries([...used].map(([limited, amount]) => [limited, formatQuantity(amount)]))
    await this.#api.writeStatus(QUOTAS, { namespace, name }, (quota) => statusOf(quota, amounts))
  }
}

/** No namespace has more quotas. */
const MOST = 1000

function statusOf({ spec, status }: KubeObject, used: Record<string, string>): unknown {
  const next = { hard: fieldsOf(spec).hard ?? {}, used }
  return deepEqual(status, next) ? status : next
}
