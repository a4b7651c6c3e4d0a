// The finalizer that keeps resources of a kind until their executor has cleaned up. An operator that defines the kind names
// its own, so that the same finalizer serves when it watches instead of pulls. Pure.

import { HANDLER_FINALIZER, type Handler } from '@homeostat/executor/protocol'
import type { KubeObject } from '@homeostat/meta'

export class Hold {
  /** The finalizer that the colony adds. */
  readonly finalizer: string
  /** Also the default one, which resources may have from before their handler named another. */
  readonly finalizers: readonly string[]

  constructor({ finalizer = HANDLER_FINALIZER }: Pick<Handler, 'finalizer'>) {
    this.finalizer = finalizer
    this.finalizers = finalizer === HANDLER_FINALIZER ? [finalizer] : [finalizer, HANDLER_FINALIZER]
  }

  holds({ metadata }: Pick<KubeObject, 'metadata'>): boolean {
    return metadata.finalizers?.some((one) => this.finalizers.includes(one)) ?? false
  }

  /** The finalizers of an object after the colony has added its own. */
  putOn(finalizers: readonly string[]): string[] {
    return [...finalizers.filter((one) => !this.finalizers.includes(one)), this.finalizer]
  }
}
