// `homeostat init [FOLDER]`: writes a project with an operator, as `npm create homeostat` does.

import { createProject, Refusal, terminalQuestions } from 'create-homeostat'
import { usageFault } from '../fault.ts'
import type { Terminal } from '../terminal.ts'

export async function init(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await createProject(words, {
      command: 'homeostat init',
      out: (text) => terminal.out(text),
      questions: async () => (terminal.columns === undefined ? undefined : terminalQuestions()),
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw usageFault(error.message)
  }
}
