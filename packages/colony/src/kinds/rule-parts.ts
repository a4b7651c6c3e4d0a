import type { FindPart } from './graph-rules.ts'
import type { Claim } from './process-rules.ts'

/** What the rules ask of a running colony. */
export interface RuleParts {
  /** Finds a waiting executor for a new Process, and refuses what is too much. */
  readonly claim: Claim
  readonly findPart: FindPart
}
