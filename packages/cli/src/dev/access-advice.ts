// Watches what the operator asks the server for, and says what its roles would refuse on a cluster, with the lines to add.
// A session of `dev` calls it; `synth` compares the recorded requests again.

import type { Clock } from '@homeostat/base'
import {
  kindKey,
  missingRules,
  type RecordedAccess,
  type RequestInfo,
  recordedAccess,
  ruleText,
} from '@homeostat/operator/access'
import type { RunDescription } from '@homeostat/operator/host'

/** The requests of a first reconcile come one after the other and belong into one rule. */
export const QUIET_MS = 500

export interface AccessAdviceOptions {
  readonly clock: Clock
  /** Gets the rules that are missing, as an author writes them. */
  readonly say: (lines: readonly string[]) => void
}

export class AccessAdvice {
  readonly #options: AccessAdviceOptions
  #runs: readonly RunDescription[] = []
  #requests: RecordedAccess[] = []
  #said = new Set<string>()
  #cancel: () => void = () => {}

  constructor(options: AccessAdviceOptions) {
    this.#options = options
  }

  /** Another process of the operator begins: its rules may be other ones. */
  restart(): void {
    this.#cancel()
    this.#runs = []
    this.#requests = []
    this.#said = new Set()
  }

  started(run: RunDescription): void {
    this.#runs = [...this.#runs, run]
  }

  requested(request: RequestInfo): void {
    this.#requests.push(recordedAccess(this.#kinds(), request))
    this.#cancel()
    this.#cancel = this.#options.clock.setTimer(QUIET_MS, () => this.#say())
  }

  close(): void {
    this.#cancel()
  }

  #say(): void {
    const rules = this.#runs.flatMap((run) => run.rules)
    const lines = missingRules(this.#requests, this.#kinds(), rules).map(ruleText)
    const fresh = lines.filter((line) => !this.#said.has(line))
    for (const line of fresh) this.#said.add(line)
    if (fresh.length > 0) this.#options.say(fresh)
  }

  #kinds(): string[] {
    return this.#runs.flatMap((run) => run.kinds.map(kindKey))
  }
}
