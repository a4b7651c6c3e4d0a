// Asks whether a definition may change in a way that breaks stored objects or clients: a person at the keys decides; where
// nobody is, only --allow-breaking does.

import type { DefinitionChange } from '@homeostat/operator'
import type { Screen } from './screen.ts'

interface Question {
  readonly definition: string
  readonly changes: readonly DefinitionChange[]
  answer(isAllowed: boolean): void
}

export interface BreakingQuestionOptions {
  readonly screen: Screen
  /** --allow-breaking */
  readonly isAllowed: boolean
  /** Whether somebody can press keys. */
  readonly isAttended: boolean
}

export class BreakingQuestions {
  readonly #options: BreakingQuestionOptions
  /** The first is on the screen. */
  #open: Question[] = []

  constructor(options: BreakingQuestionOptions) {
    this.#options = options
  }

  /** True while a key is an answer. */
  get isAsking(): boolean {
    return this.#open.length > 0
  }

  ask(question: Question): void {
    const { isAllowed, isAttended } = this.#options
    if (isAllowed || !isAttended) {
      this.#show(question)
      if (!isAllowed) this.#refused('start dev with --allow-breaking to change it anyway')
      question.answer(isAllowed)
      return
    }
    this.#open.push(question)
    if (this.#open.length === 1) this.#showFirst()
  }

  /** `y` allows it; everything else does not. */
  key(key: string): void {
    const question = this.#open.shift()
    if (question === undefined) return
    const isAllowed = key.toLowerCase() === 'y'
    this.#options.screen.answered(isAllowed ? 'yes' : 'no')
    if (!isAllowed) {
      // The operator that asks ends, so its other questions are void.
      this.#open = []
      this.#refused('or press r to be asked again')
    }
    question.answer(isAllowed)
    this.#showFirst()
  }

  /** The operator that asked has ended. */
  withdraw(): void {
    if (this.#open.length > 0) this.#options.screen.answered('')
    this.#open = []
  }

  #refused(otherwise: string): void {
    const text = 'the definition stays as it is, and the operator does not run'
    this.#options.screen.say({ text, aside: `change the schema back, ${otherwise}` })
  }

  #showFirst(): void {
    const [first] = this.#open
    if (first === undefined) return
    this.#show(first)
    this.#options.screen.ask('Change it anyway? y/N')
  }

  #show({ definition, changes }: Question): void {
    const more = changes.map(({ path, what, why }) => ({ text: `! ${path} ${what}: ${why}`, tone: 'bad' as const }))
    this.#options.screen.say({
      text: `the definition ${definition} changes, and breaks what is there`,
      tone: 'busy',
      more,
    })
  }
}
