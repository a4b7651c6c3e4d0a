// A value of CEL while it is evaluated. Each tells its own type, so that dyn needs nothing more: an int is a number (or a bigint beyond
// 2^53), a double is boxed. A failure is a value too: && and || look past it, and throwing one per item of a list would be slow.

import type { CelType } from '../types/cel-type.ts'

export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | CelDouble
  | CelUint
  | CelDuration
  | CelTimestamp
  | CelList
  | CelMap
  | CelOptional
  | CelTypeValue
  | Opaque
  | Failure

/** Why there is no value. */
export class Failure {
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

export class CelDouble {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }
}

export class CelUint {
  readonly value: number | bigint

  constructor(value: number | bigint) {
    this.value = value
  }
}

export class CelDuration {
  /** Of int64. */
  readonly nanoseconds: bigint

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds
  }
}

export class CelTimestamp {
  /** Since 1970. */
  readonly seconds: number
  /** From 0 to 999,999,999. */
  readonly nanoseconds: number

  constructor(seconds: number, nanoseconds: number) {
    this.seconds = seconds
    this.nanoseconds = nanoseconds
  }
}

export class CelOptional {
  static readonly none = new CelOptional(undefined)
  readonly value: Value | undefined

  constructor(value: Value | undefined) {
    this.value = value
  }
}

export class CelTypeValue {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** A value of a library. */
export abstract class Opaque {
  abstract readonly type: CelType
  /** What size() counts for costs; most have none. */
  readonly size: number = 1
  /** How many characters its functions may walk through, whose charge is the same for all of them. */
  get length(): number {
    return 0
  }
  abstract equals(other: Opaque): boolean
}

/** The items of a list, read one by one. */
export abstract class CelList {
  abstract readonly size: number
  /** For an index below the size. */
  abstract get(index: number): Value
  /** Equality that the kind of list knows better; undefined to compare place by place. */
  equals(_other: CelList): boolean | Failure | undefined {
    return undefined
  }
  /** A sum that the kind of list knows better. */
  plus(_other: CelList): CelList | undefined {
    return undefined
  }
}

/** Entries by key: of a map, or of an object, whose keys are the escaped names of its fields. */
export abstract class CelMap {
  abstract readonly size: number
  /** Undefined for a key that is not there. */
  abstract get(key: Value): Value | undefined
  abstract keys(): Value[]
  abstract has(key: Value): boolean
}
