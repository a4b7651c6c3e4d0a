// What the instances of one cluster share: each service is made when it is first asked for, and once. A service is a
// class whose constructor takes this container, so that services can use each other.

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
    // A service outlives the instance that asked for it first.
    if (!this.#made.has(service))
      this.#made.set(
        service,
        outOfScope(() => new service(this)),
      )
    return this.#made.get(service) as S
  }

  /** Puts another implementation in the place of a service, for tests. Before it is first asked for. */
  set<S>(service: ServiceClass<S>, implementation: S): void {
    if (this.#made.has(service)) throw new Error(`${service.name} is in use: replace it before it is asked for`)
    this.#made.set(service, implementation)
  }
}

/** The one container of a cluster. */
export function servicesOf(cluster: Cluster): Services {
  return cluster.shared(Services)
}
