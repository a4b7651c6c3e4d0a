// What the queue knows of a Process that has not been deleted: plain numbers and names, taken from the committed object.

/** Which executors may run a Process, and what it needs of them. */
export interface Demands {
  readonly executorType: string
  readonly funcName: string
  /** Sorted; empty means any executor. */
  readonly executorNames: readonly string[]
  /** Lower case; empty means any location. */
  readonly location: string
  /** Lower case and sorted; the executor must have all of it. */
  readonly software: readonly string[]
  /** Cores; 0 means no demand. */
  readonly cpu: number
  /** Bytes; 0 means no demand. */
  readonly memory: number
}

export interface QueuedProcess {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  /** The store's revision of the object that this was read from. */
  readonly revision: number
  readonly phase: 'Waiting' | 'Running' | 'Ended'
  /** The time of its submission in microseconds since the epoch, minus priority times 24 h. The lowest is assigned first. */
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
  /** How it ended; undefined while it has not. */
  readonly result?: 'Succeeded' | 'Failed' | 'Cancelled' | undefined
  /** Of which graph and node it is. */
  readonly graph?: GraphPlace | undefined
  /** The uid of the schedule that made it. */
  readonly schedule?: string | undefined
  readonly finishedAt?: number | undefined
  /** How many nodes it has added to its graph. */
  readonly addedNodes?: number | undefined
}

export interface GraphPlace {
  readonly uid: string
  readonly node: string
}

/** An executor that asks for work. */
export interface Puller {
  readonly namespace: string
  readonly name: string
  readonly type: string
  /** Empty means any function. */
  readonly functions: readonly string[]
  readonly location: string
  /** Lower case; undefined means that it does not say. */
  readonly software: readonly string[] | undefined
  /** Infinity means no limit. */
  readonly cpu: number
  readonly memory: number
}
