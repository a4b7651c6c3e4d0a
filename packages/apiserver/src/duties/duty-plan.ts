// Decides what this server does about one duty. Pure. The fence keeps two leaders from harm; this keeps them from being.

export interface DutySituation {
  readonly self: string
  /** Whom the Lease names; empty for nobody. */
  readonly holder: string
  /** Whether this server leads it, or its former work has not ended. */
  readonly isLeading: boolean
  /** The ids of the members that live, this one included. */
  readonly live: ReadonlySet<string>
  /** The member that should have the duty, of those that live and can do it. */
  readonly owner: string | undefined
}

export function planDuty({ self, holder, isLeading, live, owner }: DutySituation): 'take' | 'hand-over' | 'wait' {
  if (isLeading) return owner === self ? 'wait' : 'hand-over'
  // A Lease that names this server without it leading is of an earlier term: whose fence must not be used again. The others see that
  // this server lives, and wait until it lets go.
  if (holder === self) return owner === self ? 'take' : 'hand-over'
  if (live.has(holder)) return 'wait'
  return owner === self ? 'take' : 'wait'
}
