// The script that a batch system runs for a job: the system's directives, modules, environment, then the user's script in a file
// of its own; last it writes the exit code. Pure. Values reach it as quoted words, never as code.

import { writeJson } from '@homeostat/meta'
import type { BatchJob } from './batch-job.ts'
import type { BatchSystem } from './batch-system.ts'

/** The files of a job, in a folder that the nodes share. */
export interface JobFiles {
  readonly script: string
  readonly output: string
  readonly exitCode: string
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/
/** What a directive may hold: no space, no quote, no line end. */
const DIRECTIVE = /^[A-Za-z0-9_.:/@+=,-]{1,200}$/
const DEPENDENCY = ['after', 'afterok', 'afterany', 'afternotok']

/** What is wrong with the job, with the field that it is about; none when it can be submitted. */
export function jobProblems(job: BatchJob): string[] {
  const problems: string[] = []
  const bad = (field: string, what: string) => problems.push(`${field}: ${what}`)
  if (!NAME.test(job.name)) bad('name', 'letters, digits, ".", "_" and "-", at most 200')
  if (job.script.trim() === '') bad('script', 'is empty')
  for (const field of ['partition', 'account', 'memory', 'time'] as const) {
    const value = job[field]
    if (value !== undefined && !DIRECTIVE.test(value)) bad(field, `${writeJson(value)} is not one plain word`)
  }
  for (const field of ['nodes', 'tasks', 'cpusPerTask', 'gpusPerNode'] as const) {
    const value = job[field]
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= (field === 'gpusPerNode' ? 0 : 1)))
      bad(field, `${value} is not a whole number of at least ${field === 'gpusPerNode' ? 0 : 1}`)
  }
  for (const one of job.modules ?? [])
    if (!DIRECTIVE.test(one)) bad('modules', `${writeJson(one)} is not one plain word`)
  for (const one of Object.keys(job.environment ?? {}))
    if (!VARIABLE.test(one)) bad('environment', `${writeJson(one)} is no name of a variable`)
  for (const [kind, ids] of Object.entries(job.dependencies ?? {})) {
    if (!DEPENDENCY.includes(kind)) bad('dependencies', `${writeJson(kind)} is none of ${DEPENDENCY.join(', ')}`)
    for (const id of ids) if (!DIRECTIVE.test(id)) bad('dependencies', `${writeJson(id)} is no id`)
  }
  return problems
}

export function jobScript(system: BatchSystem, job: BatchJob, files: JobFiles): string {
  const { modules = [], environment = {} } = job
  return [
    '#!/bin/sh',
    ...system.directives(job, files),
    // Where modules are set up by the login shell only.
    ...(modules.length === 0 ? [] : ['[ -r /etc/profile ] && . /etc/profile']),
    ...modules.map((one) => `module load ${quoted(one)} || { echo 127 > ${quoted(files.exitCode)}; exit 127; }`),
    ...Object.entries(environment).map(([name, value]) => `export ${name}=${quoted(value)}`),
    quoted(files.script),
    'code=$?',
    // Whole or not at all: a reader never sees half a number.
    `echo "$code" > ${quoted(`${files.exitCode}.new`)} && mv ${quoted(`${files.exitCode}.new`)} ${quoted(files.exitCode)}`,
    'exit "$code"',
    '',
  ].join('\n')
}

/** A word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
