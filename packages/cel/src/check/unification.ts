// Which types fit where, with the types that parameters stand for found on the way. Each checker has one; what a failed attempt found is
// undone, so that trying overloads costs what the attempt costs.

import { type CelType, dynType, listOf, mapOf, optionalOf, typeOfType } from '../types/cel-type.ts'

export function isExact(a: CelType, b: CelType): boolean {
  return (
    a === b ||
    (a.kind === b.kind &&
      a.name === b.name &&
      a.parameters.length === b.parameters.length &&
      a.parameters.every((parameter, index) => isExact(parameter, b.parameters[index] as CelType)))
  )
}

const nullable: ReadonlySet<string> = new Set(['opaque', 'optional', 'object', 'duration', 'timestamp', 'null'])

/** More parameters than any expression of bearable size needs; beyond it nothing fits. */
const mostSteps = 2_000_000

export class Unification {
  readonly #found = new Map<string, CelType>()
  #trail: { name: string; before: CelType | undefined }[] = []
  #steps = 0

  /** Keeps what it found only if all fit. */
  fit(values: readonly CelType[], wanted: readonly CelType[]): boolean {
    const mark = this.#trail.length
    if (values.length === wanted.length && values.every((value, index) => this.#fits(value, wanted[index] as CelType)))
      return true
    while (this.#trail.length > mark) {
      const { name, before } = this.#trail.pop() as { name: string; before: CelType | undefined }
      if (before === undefined) this.#found.delete(name)
      else this.#found.set(name, before)
    }
    return false
  }

  /** The type with every known parameter replaced; unknown ones become dyn if asked for. */
  resolve(type: CelType, unknownIsDyn = false): CelType {
    if (type.kind === 'parameter') {
      const found = this.#found.get(type.name)
      if (found !== undefined) return this.resolve(found, unknownIsDyn)
      return unknownIsDyn ? dynType : type
    }
    if (type.parameters.length === 0) return type
    const parameters = type.parameters.map((parameter) => this.resolve(parameter, unknownIsDyn))
    return parameters.every((parameter, index) => parameter === type.parameters[index])
      ? type
      : rebuilt(type, parameters)
  }

  #fits(value: CelType, wanted: CelType): boolean {
    if (++this.#steps > mostSteps) return false
    if (wanted.kind === 'parameter') {
      const outcome = this.#bind(value, wanted)
      if (outcome === 'bound') return true
      if (outcome === 'conflict') return false
    }
    if (value.kind === 'parameter') return this.#bind(wanted, value) === 'bound'
    if (value.kind === 'dyn' || wanted.kind === 'dyn') return true
    if (value.kind === 'null') return nullable.has(wanted.kind)
    if (wanted.kind === 'null') return nullable.has(value.kind)
    if (value.kind === 'type') return wanted.kind === 'type'
    if (value.kind !== wanted.kind || value.name !== wanted.name) return false
    if (value.parameters.length !== wanted.parameters.length) return false
    return value.parameters.every((parameter, index) => this.#fits(parameter, wanted.parameters[index] as CelType))
  }

  #bind(type: CelType, parameter: CelType): 'bound' | 'conflict' | 'cyclic' {
    if (isExact(type, parameter)) return 'bound'
    const found = this.#found.get(parameter.name)
    if (found !== undefined) {
      if (isExact(type, found)) return 'bound'
      if (!this.#fits(type, found)) return 'conflict'
      const general = mostGeneral(type, found)
      if (!this.#mentions(parameter, general)) this.#set(parameter.name, general)
      return 'bound'
    }
    if (this.#mentions(parameter, type)) return 'cyclic'
    this.#set(parameter.name, type)
    return 'bound'
  }

  #set(name: string, type: CelType): void {
    this.#trail.push({ name, before: this.#found.get(name) })
    this.#found.set(name, type)
  }

  #mentions(parameter: CelType, type: CelType): boolean {
    if (++this.#steps > mostSteps) return true
    if (isExact(parameter, type)) return true
    if (type.kind === 'parameter') {
      const found = this.#found.get(type.name)
      return found !== undefined && this.#mentions(parameter, found)
    }
    return type.parameters.some((inner) => this.#mentions(parameter, inner))
  }
}

/** Of two types that fit each other, the one with more dyn. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return isLessSpecific(a, b) ? a : b
}

function isLessSpecific(a: CelType, b: CelType): boolean {
  if (a.kind === 'dyn' || a.kind === 'parameter') return true
  if (b.kind === 'dyn' || b.kind === 'parameter' || a.kind !== b.kind) return false
  if (a.kind === 'type') return true
  if (a.name !== b.name || a.parameters.length !== b.parameters.length) return false
  return a.parameters.every((parameter, index) => isLessSpecific(parameter, b.parameters[index] as CelType))
}

function rebuilt(type: CelType, parameters: readonly CelType[]): CelType {
  const [first, second] = parameters as [CelType, CelType]
  switch (type.kind) {
    case 'list':
      return listOf(first, type.maxElements, type.listKind)
    case 'map':
      return mapOf(first, second, type.maxElements)
    case 'optional':
      return optionalOf(first)
    case 'type':
      return typeOfType(first)
    default:
      return { ...type, parameters }
  }
}
