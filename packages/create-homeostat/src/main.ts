#!/usr/bin/env node
// The `create-homeostat` command, which `npm create homeostat` runs.

import { createProject } from './create-project.ts'
import { Refusal } from './refusal.ts'
import { terminalQuestions } from './terminal-questions.ts'

try {
  process.exitCode = await createProject(process.argv.slice(2), {
    command: 'npm create homeostat@latest --',
    out: (text) => void process.stdout.write(text),
    questions: terminalQuestions,
  })
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  process.stderr.write(`create-homeostat: ${error.message}\n`)
  process.exitCode = 2
}
