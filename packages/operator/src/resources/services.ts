// Services that the instances of one cluster share: each is created once, on first use. A service is a class whose
// constructor takes this container, so that services can use each other.

import type { Log } from '@homeostat/base'
import type { Cluster } from '../runtime/cluster.ts'
import { outOfScope } from './scope.ts'

export type ServiceClass<S> = new (services: Services) => S

export class Services {
  readonly cluster: Cluster
  readonly #made = new Map<ServiceClass<unknown>, unknown>()

  constructor(cluster: Cluster) {
    this.cluster = cluster
  }

  get log(): Log {
    return this.cluster.log
  }

  get<S>(service: ServiceClass<S>): S {
    // A service outlives the instance that requested it first.
    if (!this.#made.has(service))
      this.#made.set(
        service,
        outOfScope(() => new service(this)),
      )
    return this.#made.get(service) as S
  }

  /** Replaces a service by another implementation, for tests. Call it before the service is first used. */
  set<S>(service: ServiceClass<S>, implementation: S): void {
    if (this.#made.has(service)) throw new Error(`${service.name} is in use: replace it before it is asked for`)
    this.#made.set(service, implementation)
  }
}

/** The container of a cluster. */
export function servicesOf(cluster: Cluster): Services {
  return cluster.shared(Services)
}
