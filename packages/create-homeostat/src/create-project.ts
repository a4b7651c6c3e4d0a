// `npm create homeostat` and `homeostat init`: from the words of the command line to a project and the next steps.

import { relative } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { helpText, readCommandLine } from './command-line.ts'
import { completeProject } from './complete-project.ts'
import { npmInstall } from './install.ts'
import type { Project } from './project.ts'
import type { Questions } from './questions.ts'
import { shownPath } from './quoted.ts'
import { writeProject } from './write-project.ts'

export interface Caller {
  /** What is typed before the folder, for help. */
  readonly command: string
  out(text: string): void
  /** Undefined where nobody can be asked. */
  questions(): Promise<Questions | undefined>
}

/** Returns the exit code. Throws a Refusal, of one line, for what a person has to mend. */
export async function createProject(words: readonly string[], { command, out, questions }: Caller): Promise<number> {
  const line = readCommandLine(words)
  if (line.help) {
    out(helpText(command))
    return 0
  }
  const project = await completeProject(line, line.yes ? undefined : await questions())
  writeProject(project, manifest.version)
  const place = shownPath(relative('', project.folder) || '.')
  out(`\n${project.name} is written in ${place}: ${project.kind} of ${project.group}, ${project.template}\n`)
  const installed = line.install && (await npmInstall(project.folder))
  out(nextSteps(project, place, installed))
  return line.install && !installed ? 1 : 0
}

function nextSteps({ kind }: Project, place: string, installed: boolean): string {
  const steps = [
    ...(place === '.' ? [] : [`cd ${place}`]),
    ...(installed ? [] : ['npm install']),
    'npm run dev    # the server and the operator; the key a applies examples/',
    `npx homeostat get ${kind.toLowerCase()} -w    # in another terminal: it becomes ready`,
  ]
  return `\nNext:\n\n${steps.map((step) => `  ${step}\n`).join('')}\n`
}
