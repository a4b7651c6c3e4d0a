// The names that an expression can see: declared variables, types, and the variables of comprehensions around a part.

import type { CelType } from '../types/cel-type.ts'

export interface Name {
  readonly type: CelType
  readonly kind: 'variable' | 'type' | 'local'
}

export class Scope {
  readonly #names: ReadonlyMap<string, Name>
  readonly #parent: Scope | undefined

  constructor(names: ReadonlyMap<string, Name>, parent?: Scope) {
    this.#names = names
    this.#parent = parent
  }

  inner(locals: Readonly<Record<string, CelType>>): Scope {
    return new Scope(new Map(Object.entries(locals).map(([name, type]) => [name, { type, kind: 'local' }])), this)
  }

  find(name: string): Name | undefined {
    return this.#names.get(name) ?? this.#parent?.find(name)
  }
}
