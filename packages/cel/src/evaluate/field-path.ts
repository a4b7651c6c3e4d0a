// Fields selected one from the other, from a variable with a declared type: walked in the JSON itself, so that only the last becomes a
// value. Most of what rules do is this.

import { JsonObject, ownField, type Read } from '../values/json-values.ts'
import { Failure, type Value } from '../values/value.ts'
import { noSuchKey } from './failures.ts'
import type { Frame, Part, Run } from './frame.ts'

export interface FieldPath {
  readonly variable?: string
  /** Of a comprehension's variable. */
  readonly slot?: number
  readonly keys: readonly { readonly key: string; readonly name: string }[]
  readonly read: Read
}

export function compileFieldPath(path: FieldPath, isTest: boolean): Part {
  const walk = walkOf(path)
  const count = path.keys.length
  const last = noSuchKey(path.keys.at(-1)?.name ?? '')
  const { read } = path
  if (isTest) {
    const run: Run = (frame) => {
      const found = walk(frame)
      if (found instanceof Failure) return found
      frame.charge(count)
      return found !== undefined && found !== null
    }
    return { run }
  }
  const convert = (found: unknown): Value => {
    if (found === undefined || found === null) return last
    return found instanceof Failure ? found : read(found)
  }
  return {
    run: (frame) => {
      const found = walk(frame)
      frame.charge(found instanceof Failure ? 1 : count + 1)
      return convert(found)
    },
    attribute: {
      isConditional: false,
      bare: (frame) => {
        const found = walk(frame)
        if (!(found instanceof Failure)) frame.charge(count)
        return convert(found)
      },
    },
  }
}

/** To the JSON of the last field, undefined if it is absent. What fails before it is charged here. */
function walkOf({ variable, slot, keys }: FieldPath): (frame: Frame) => unknown {
  const start = slot === undefined ? fromBinding(variable as string) : fromLocal(slot)
  const failures = keys.map(({ name }) => noSuchKey(name))
  const steps = keys.map(({ key }) =>
    key in Object.prototype ? (json: Json) => ownField(json, key) : (json: Json) => json[key],
  )
  const end = steps.length - 1
  return (frame) => {
    let json = start(frame)
    for (let index = 0; index <= end; index++) {
      if (typeof json !== 'object' || json === null)
        return json instanceof Failure ? json : stopped(frame, index, failures)
      json = (steps[index] as (json: Json) => unknown)(json as Json)
    }
    return json
  }
}

type Json = Record<string, unknown>

/** The field before this one is absent. */
function stopped(frame: Frame, index: number, failures: readonly Failure[]): Failure {
  frame.charge(index)
  return failures[Math.max(0, index - 1)] as Failure
}

function fromBinding(variable: string): (frame: Frame) => unknown {
  const missing = new Failure(`no such attribute(s): ${variable}`)
  return ({ bindings }) => {
    const value = bindings[variable]
    if (value === undefined) return missing
    return value instanceof JsonObject ? value.json : value
  }
}

function fromLocal(slot: number): (frame: Frame) => unknown {
  return ({ locals }) => {
    const value = locals[slot]
    return value instanceof JsonObject ? value.json : value
  }
}
