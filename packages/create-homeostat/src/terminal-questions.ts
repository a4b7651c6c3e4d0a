// Asks on the terminal of this process, by @clack/prompts, which is loaded only when somebody is asked.

import type { Questions } from './questions.ts'
import { Refusal } from './refusal.ts'

/** Undefined unless a person is at the other end, on a terminal that has a width: some of programs have none. */
export async function terminalQuestions(): Promise<Questions | undefined> {
  if (!process.stdin.isTTY || !process.stdout.isTTY || process.stdout.columns === 0) return undefined
  // Not needed where nobody can be asked.
  const { select, text } = await import('@clack/prompts')
  const answered = (answer: string | symbol): string => {
    if (typeof answer === 'symbol') throw new Refusal('cancelled; nothing was written')
    return answer
  }
  return {
    async text(message, initialValue, problemOf) {
      return answered(await text({ message, initialValue, validate: (answer = '') => problemOf(answer) }))
    },
    async choose<C extends string>(message: string, choices: Readonly<Record<C, string>>, initialValue: C) {
      const options = Object.entries<string>(choices).map(([value, hint]) => ({ value, hint }))
      return answered(await select<string>({ message, options, initialValue })) as C
    },
  }
}
