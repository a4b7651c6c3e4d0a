// What the queue knows of a Process that has not been deleted: plain numbers and names, taken from the committed object.

/** Who may run it. Equal demands have equal keys. */
export interface Demands {
  readonly executorType: string
  readonly funcName: string
  /** Sorted; empty: anybody. */
  readonly executorNames: readonly string[]
  /** Lower case; empty: anywhere. */
  readonly location: string
  /** Cores; 0: does not matter. */
  readonly cpu: number
  /** Bytes; 0: does not matter. */
  readonly memory: number
}

export interface QueuedProcess {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  /** The store's revision of the object that this was read from: newer ones replace older ones. */
  readonly revision: number
  readonly phase: 'Waiting' | 'Running' | 'Ended'
  /** Microseconds since the epoch of its submission, minus priority times 24 h. Lowest first. */
  readonly order: number
  readonly demands: Demands
  readonly concurrencyKey: string | undefined
  readonly attempt: number
  readonly executor: string | undefined
  readonly cancel: boolean
  /** Milliseconds since the epoch. */
  readonly submittedAt: number
  readonly notBefore: number | undefined
  readonly waitDeadline: number | undefined
  readonly execDeadline: number | undefined
  readonly deleteAt: number | undefined
}

/** An executor that wants work. */
export interface Puller {
  readonly namespace: string
  readonly name: string
  readonly type: string
  /** Empty: any. */
  readonly functions: readonly string[]
  readonly location: string
  /** Infinity: no limit. */
  readonly cpu: number
  readonly memory: number
}
