// Decides when the operator's process starts and stops. Pure: an event comes in, the next phase and what to do come out.
// A process that ends by itself is not started again before something changes, so that a mistake cannot become a loop.

export type Phase =
  /** No process; a save or a key starts one. */
  | 'none'
  | 'running'
  /** The process was asked to end, and another one follows it. */
  | 'restarting'
  /** The process was asked to end, and a save or a key starts the next one. */
  | 'halting'
  /** The process was asked to end, and nothing follows. */
  | 'ending'

export type OperatorEvent =
  /** A file that the operator loaded has changed, or a person asked for it. */
  | 'restart'
  /** It must not go on as it is: a person refused what it wants. */
  | 'halt'
  /** The process has ended, by itself or because it was asked to. */
  | 'ended'
  /** The command ends. */
  | 'close'

export interface Step {
  readonly phase: Phase
  readonly action?: 'start' | 'stop'
}

const STEPS: Readonly<Record<Phase, Readonly<Record<OperatorEvent, Step>>>> = {
  none: {
    restart: { phase: 'running', action: 'start' },
    halt: { phase: 'none' },
    ended: { phase: 'none' },
    close: { phase: 'ending' },
  },
  running: {
    restart: { phase: 'restarting', action: 'stop' },
    halt: { phase: 'halting', action: 'stop' },
    ended: { phase: 'none' },
    close: { phase: 'ending', action: 'stop' },
  },
  restarting: {
    restart: { phase: 'restarting' },
    halt: { phase: 'restarting' },
    ended: { phase: 'running', action: 'start' },
    close: { phase: 'ending' },
  },
  halting: {
    restart: { phase: 'restarting' },
    halt: { phase: 'halting' },
    ended: { phase: 'none' },
    close: { phase: 'ending' },
  },
  ending: {
    restart: { phase: 'ending' },
    halt: { phase: 'ending' },
    ended: { phase: 'ending' },
    close: { phase: 'ending' },
  },
}

export function planOperator(phase: Phase, event: OperatorEvent): Step {
  return STEPS[phase][event]
}
