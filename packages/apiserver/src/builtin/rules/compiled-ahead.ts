// Keeps the expressions of objects that are about to be validated, which cannot wait: CEL may have to be loaded for them first.

import { compilePolicy, type PolicyPrograms } from '../../expressions/policy-programs.ts'

export class CompiledAhead {
  readonly #programs = new WeakMap<object, PolicyPrograms>()

  /** `holder` is the part of the object that has them, by which they are found again. */
  async compile(holder: object, spec: unknown): Promise<void> {
    this.#programs.set(holder, await compilePolicy(spec))
  }

  take(holder: object): PolicyPrograms {
    const programs = this.#programs.get(holder)
    if (programs === undefined) throw new Error('expressions are validated before they are compiled')
    this.#programs.delete(holder)
    return programs
  }
}
