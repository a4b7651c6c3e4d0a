// Loops over the items of a list or the keys of a map. all() and exists() are written out, since most loops are one of the two; the
// others run the steps that their macro made of them.

import { listCreation } from '../cost/factors.ts'
import type { Comprehension, Expression } from '../syntax/expression.ts'
import { accumulator } from '../syntax/macros.ts'
import { GrowingList } from '../values/lists.ts'
import { GrowingMap } from '../values/maps.ts'
import { typeNameOf } from '../values/type-of-value.ts'
import { CelList, CelMap, Failure, type Value } from '../values/value.ts'
import type { Compiling } from './compiling.ts'
import { failureOf } from './failures.ts'
import type { Frame, Run } from './frame.ts'
import { conjunction, disjunction } from './logic.ts'

export function compileComprehension(compiler: Compiling, loop: Comprehension): Run {
  const range = compiler.compile(loop.range).run
  const start = startOf(compiler, loop.start)
  return compiler.withLocal(loop.accumulator, (slot) => {
    const result = compiler.compile(loop.result).run
    return compiler.withLocal(loop.variable, (first) => {
      if (loop.variable2 === undefined) return assemble(first, undefined)
      return compiler.withLocal(loop.variable2, (second) => assemble(first, second))
    })

    function assemble(first: number, second: number | undefined): Run {
      const step = quantifier(compiler, loop, slot) ?? collector(compiler, loop, slot) ?? stepOf(compiler, loop, slot)
      return (frame) => {
        const over = range(frame)
        if (over instanceof Failure) return over
        frame.locals[slot] = start(frame)
        const failure = walk(frame, over, first, second, step)
        return failure ?? result(frame)
      }
    }
  })
}

/** A list or map that is made grows in place. */
function startOf(compiler: Compiling, start: Expression): Run {
  if (start.kind === 'list' && start.items.length === 0) return () => new GrowingList()
  if (start.kind === 'map' && start.entries.length === 0) return () => new GrowingMap()
  return compiler.compile(start).run
}

/** False ends the loop. */
type Step = (frame: Frame) => boolean

function stepOf(compiler: Compiling, loop: Comprehension, slot: number): Step {
  const condition = compiler.compile(loop.condition).run
  const step = compiler.compile(loop.step).run
  return (frame) => {
    if (condition(frame) === false) return false
    frame.locals[slot] = step(frame)
    return true
  }
}

/** all() and exists(): what ends them, and what their condition and the accumulator cost each time. */
function quantifier(compiler: Compiling, loop: Comprehension, slot: number): Step | undefined {
  const { step, condition } = loop
  if (step.kind !== 'call' || condition.kind !== 'call' || condition.name !== '@not_strictly_false') return undefined
  const predicate = compiler.compile(step.args[1] as Expression).run
  const isAll = step.name === '_&&_'
  const ends = !isAll
  const conditionCost = isAll ? 2 : 3
  const join = isAll ? conjunction : disjunction
  return (frame) => {
    const before = frame.locals[slot] as Value
    frame.charge(conditionCost)
    if (before === ends) return false
    frame.charge(1)
    const value = predicate(frame)
    frame.locals[slot] = value === !ends && before === !ends ? value : join(before, value)
    return true
  }
}

/** map() and filter(): what they make of an item goes straight into the list. */
function collector(compiler: Compiling, { step, condition }: Comprehension, slot: number): Step | undefined {
  if (condition.kind !== 'literal' || step.kind !== 'call') return undefined
  const isFiltered = step.name === '_?_:_'
  const [filter, append] = isFiltered ? (step.args as [Expression, Expression]) : [undefined, step]
  const item = appendedItem(append)
  const made = item === undefined ? undefined : compiler.compile(item)
  if (made === undefined || made.constant !== undefined) return undefined
  const collect = collectStep(made.run, slot)
  if (filter === undefined) return collect
  const test = compiler.compile(filter).run
  return (frame) => {
    const wanted = test(frame)
    if (wanted === true) return collect(frame)
    if (wanted !== false) frame.locals[slot] = failureOf(wanted)
    return true
  }
}

/** The item of `accumulator + [item]`. */
function appendedItem(append: Expression): Expression | undefined {
  if (append.kind !== 'call' || append.name !== '_+_') return undefined
  const [list, added] = append.args as [Expression, Expression]
  if (list.kind !== 'identifier' || list.name !== accumulator) return undefined
  return added.kind === 'list' && added.items.length === 1 && added.optional.size === 0 ? added.items[0] : undefined
}

/** Charges what reading the accumulator, making a list of one item and joining the two cost. */
function collectStep(make: Run, slot: number): Step {
  return (frame) => {
    const value = make(frame)
    frame.charge(2 + listCreation)
    const list = frame.locals[slot]
    if (!(list instanceof GrowingList)) return true
    if (value instanceof Failure) frame.locals[slot] = value
    else list.push(value)
    return true
  }
}

function walk(frame: Frame, over: Value, first: number, second: number | undefined, step: Step): Failure | undefined {
  const { locals } = frame
  if (over instanceof CelList) {
    for (let index = 0; index < over.size; index++) {
      const item = over.get(index)
      if (second === undefined) locals[first] = item
      else {
        locals[first] = index
        locals[second] = item
      }
      if (!step(frame)) break
    }
    return undefined
  }
  if (!(over instanceof CelMap)) return new Failure(`got '${goTypeName(over)}', expected iterable type`)
  for (const key of over.keys()) {
    locals[first] = key
    if (second !== undefined) locals[second] = over.get(key) as Value
    if (!step(frame)) break
  }
  return undefined
}

/** Kubernetes names the types of its code here. */
function goTypeName(value: Value): string {
  const name = typeNameOf(value)
  return `types.${name.charAt(0).toUpperCase()}${name.slice(1)}`
}
