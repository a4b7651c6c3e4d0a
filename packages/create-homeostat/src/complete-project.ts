// Makes a whole project out of a command line: what is missing is asked for on a terminal, and is the default elsewhere.

import { basename, resolve } from 'node:path'
import type { CommandLine } from './command-line.ts'
import { DEFAULTS, groupProblem, kindProblem, nameProblem, type Project, TEMPLATES } from './project.ts'
import type { Questions } from './questions.ts'
import { shownPath } from './quoted.ts'
import { Refusal } from './refusal.ts'
import { fullFolder } from './write-project.ts'

/** `ask` is undefined where nobody is to be asked. */
export async function completeProject(line: CommandLine, ask: Questions | undefined): Promise<Project> {
  const problemOf = (path: string) => folderProblem(path, line.name)
  const path = line.folder ?? (await ask?.text('In which folder?', DEFAULTS.folder, problemOf))
  if (path === undefined)
    throw new Refusal(`name the folder of the project, e.g. ${DEFAULTS.folder}, or . for this one`)
  const problem = problemOf(path)
  if (problem !== undefined) throw new Refusal(problem)
  const folder = resolve(path)
  return {
    folder,
    name: line.name ?? basename(folder),
    template: line.template ?? (await ask?.choose('Which style?', TEMPLATES, DEFAULTS.template)) ?? DEFAULTS.template,
    kind:
      line.kind ?? (await ask?.text('Which kind of object is it for?', DEFAULTS.kind, kindProblem)) ?? DEFAULTS.kind,
    group:
      line.group ??
      (await ask?.text('In which API group, a domain of yours?', DEFAULTS.group, groupProblem)) ??
      DEFAULTS.group,
  }
}

/** The project has the name of its folder unless `name` is given. */
function folderProblem(path: string, name: string | undefined): string | undefined {
  if (path === '') return 'the folder has no name; . is the one you are in'
  const folder = resolve(path)
  const problem = name === undefined ? nameProblem(basename(folder)) : undefined
  if (problem === undefined) return fullFolder(folder)
  return `${shownPath(basename(folder))} cannot be the name of a project: ${problem}; --name gives it another`
}
