// The states of the cluster that an operator has to act upon. Health check, measures and the tests of both name them.

/** Everything that may be wrong with the cluster or the way to it, by the words of /metrics and docs/scaling.md. */
export const STATES = [
  'unreachable',
  'no-leader',
  'learner',
  'denied',
  'no-space',
  'corrupt',
  'ended',
  'watch-broken',
  'nearly-full',
  'fragmented',
  'not-compacted',
] as const
export type EtcdState = (typeof STATES)[number]

export interface Complaint {
  readonly state: EtcdState
  readonly message: string
}
