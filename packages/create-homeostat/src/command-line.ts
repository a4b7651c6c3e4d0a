// The command line of `create-homeostat` and of `homeostat init`, which is the same.

import { parseArgs } from 'node:util'
import { DEFAULTS, groupProblem, isTemplate, kindProblem, nameProblem, TEMPLATES, type Template } from './project.ts'
import { quoted } from './quoted.ts'
import { Refusal } from './refusal.ts'

export interface CommandLine {
  /** As typed; what is missing is asked for, or has a default. */
  readonly folder: string | undefined
  readonly name: string | undefined
  readonly template: Template | undefined
  readonly kind: string | undefined
  readonly group: string | undefined
  readonly install: boolean
  /** Take the default of everything that is missing. */
  readonly yes: boolean
  readonly help: boolean
}

const options = {
  template: { type: 'string', short: 't' },
  kind: { type: 'string', short: 'k' },
  group: { type: 'string', short: 'g' },
  name: { type: 'string' },
  'no-install': { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
} as const

/** For completion in a shell: what may stand after these words; undefined for a folder. */
export function candidates(before: readonly string[], prefix: string): readonly string[] | undefined {
  const last = before.at(-1) ?? ''
  const taking = Object.entries(options).find(
    ([name, row]) => row.type === 'string' && (last === `--${name}` || ('short' in row && last === `-${row.short}`)),
  )
  if (taking !== undefined) return taking[0] === 'template' ? Object.keys(TEMPLATES) : []
  return prefix.startsWith('-') ? Object.keys(options).map((name) => `--${name}`) : undefined
}

/** Throws a Refusal for words that it does not know and values that cannot be. */
export function readCommandLine(words: readonly string[]): CommandLine {
  const { values, positionals } = parse(words)
  const [folder, extra] = positionals
  if (extra !== undefined) throw new Refusal(`unexpected argument ${quoted(extra)}; --help lists what there is`)
  const { name, template, kind, group, yes = false, help = false } = values
  refuseBad('name', name, nameProblem)
  refuseBad('kind', kind, kindProblem)
  refuseBad('group', group, groupProblem)
  if (template !== undefined && !isTemplate(template))
    throw new Refusal(`--template ${quoted(template)}: the templates are ${Object.keys(TEMPLATES).join(', ')}`)
  return { folder, name, template, kind, group, install: !values['no-install'], yes, help }
}

function refuseBad(option: string, value: string | undefined, problemOf: (value: string) => string | undefined): void {
  if (value === undefined) return
  const problem = problemOf(value)
  if (problem !== undefined) throw new Refusal(`--${option} ${quoted(value)}: ${problem}`)
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true })
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split(/\. |\n/)
    throw new Refusal(`${sentence}; --help lists what there is`)
  }
}

/** `command` is what is typed before the folder. */
export function helpText(command: string): string {
  const templates = Object.entries(TEMPLATES).map(([name, summary]) => `    ${name.padEnd(12)}${summary}`)
  return `Usage: ${command} [FOLDER] [options]

Writes a project with an operator, its tests and a container into a new or an empty folder. On a terminal it asks for
what is missing.

Options:
  -t, --template NAME   Default: ${DEFAULTS.template}
${templates.join('\n')}
  -k, --kind KIND       The kind of object that the operator is for (default ${DEFAULTS.kind})
  -g, --group DOMAIN    The API group of the kind, a domain of yours (default ${DEFAULTS.group})
      --name NAME       The name of the project and its operator (default: that of the folder)
      --no-install      Do not run \`npm install\`
  -y, --yes             Ask nothing and take the defaults
  -h, --help            Show this
`
}
