// Makes SQLite calls fail or hang on purpose, so that tests can try every call. Each connection asks it before and
// after each call; without rules it costs nothing. Rules cross threads, so they are plain data.

export type SqliteCall =
  | 'open'
  | 'pragma'
  | 'schema'
  | 'prepare'
  | 'begin'
  | 'insert'
  | 'read'
  | 'compact'
  | 'commit'
  | 'rollback'
  | 'checkpoint'
  | 'backup'
  | 'close'

export interface FaultRule {
  /** The connection it concerns; both unless given. */
  readonly connection?: 'writer' | 'reader'
  /** The calls it concerns; all unless given. */
  readonly call?: SqliteCall
  /** How many of these calls pass first. Default 0. */
  readonly skip?: number
  /** How many then fail. Default 1. */
  readonly times?: number
  readonly kind: 'full' | 'ioerr' | 'busy' | 'corrupt' | 'hang'
  /** `after`: the call is made and fails all the same, as an fsync that reached the disk. Default `before`. */
  readonly when?: 'before' | 'after'
  /** One Int32. The rule applies while it is not 0; a hang lasts until it is 0 and notified. */
  readonly gate?: SharedArrayBuffer
  /** One Int32, lowered by each of these calls; the one that brings it to 0 fails. Replaces `skip` and `times`. */
  readonly countdown?: SharedArrayBuffer
}

const ERRORS = {
  full: [13, 'database or disk is full'],
  ioerr: [1034, 'disk I/O error'],
  busy: [5, 'database is locked'],
  corrupt: [11, 'database disk image is malformed'],
} as const

/** Looks like an error of node:sqlite; only its message says that it was injected. */
export class InjectedFault extends Error {
  override readonly name = 'InjectedFault'
  readonly code = 'ERR_SQLITE_ERROR'
  readonly errcode: number
  constructor(errcode: number, message: string) {
    super(`${message} (injected)`)
    this.errcode = errcode
  }
}

/** Counts the calls of one role on one thread, over all connections it opens. */
export class FaultInjector {
  readonly #connection: 'writer' | 'reader'
  readonly #rules: readonly FaultRule[]
  readonly #seen: number[]

  constructor(connection: 'writer' | 'reader', rules: readonly FaultRule[]) {
    this.#connection = connection
    this.#rules = rules
    this.#seen = rules.map(() => 0)
  }

  around<T>(call: SqliteCall, run: () => T): T {
    const rule = this.#due(call)
    if (rule === undefined) return run()
    if (rule.kind === 'hang') {
      if (rule.gate !== undefined) Atomics.wait(new Int32Array(rule.gate), 0, 1)
      return run()
    }
    if (rule.when === 'after') run()
    const [errcode, message] = ERRORS[rule.kind]
    throw new InjectedFault(errcode, message)
  }

  #due(call: SqliteCall): FaultRule | undefined {
    let due: FaultRule | undefined
    for (const [index, rule] of this.#rules.entries()) {
      if (rule.connection !== undefined && rule.connection !== this.#connection) continue
      if (rule.call !== undefined && rule.call !== call) continue
      if (rule.gate !== undefined && Atomics.load(new Int32Array(rule.gate), 0) === 0) continue
      if (this.#isTurn(rule, index)) due ??= rule
    }
    return due
  }

  #isTurn(rule: FaultRule, index: number): boolean {
    if (rule.countdown !== undefined) {
      const left = new Int32Array(rule.countdown)
      return Atomics.load(left, 0) > 0 && Atomics.sub(left, 0, 1) === 1
    }
    const seen = this.#seen[index] ?? 0
    this.#seen[index] = seen + 1
    const skip = rule.skip ?? 0
    return seen >= skip && seen < skip + (rule.times ?? 1)
  }
}
