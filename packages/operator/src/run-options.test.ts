// docs/operators.md documents every option, and no other.

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const source = (file: string) => readFileSync(`${import.meta.dirname}/${file}`, 'utf8')
const page = readFileSync(`${import.meta.dirname}/../../../docs/operators.md`, 'utf8')

/** The field names of an interface, read from its source. */
function fieldsOf(file: string, name: string): string[] {
  const [, body = ''] = new RegExp(`interface ${name} [^{]*\\{\\n([\\s\\S]*?)\\n\\}`).exec(source(file)) ?? []
  return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, field = '']) => field)
}

/** The first column of the section's table; several names may share a row. */
function documented(): string[] {
  const section = page.split('## What `run` takes')[1]?.split(/^## /m)[0] ?? ''
  const rows = [...section.matchAll(/^\| (`[^|]*`) \|/gm)].map(([, cell = '']) => cell)
  return rows.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
}

it('every option of run() is in the docs', () => {
  const options = [...fieldsOf('run-options.ts', 'RunOptions'), ...fieldsOf('start-companions.ts', 'CompanionOptions')]
  expect(options.length).toBeGreaterThan(15)
  expect(documented().toSorted()).toEqual(options.toSorted())
})

it.each([
  ['pull/pull-options.ts', 'PullOptions', 'pull'],
  ['start-companions.ts', 'LeaseOptions', 'leaderElection'],
  ['start-companions.ts', 'LeaseOptions', 'shards'],
  ['health/health-server.ts', 'HealthOptions', 'health'],
])('%s: the fields of %s are in the row of %s', (file, name, option) => {
  const row = page.split('\n').find((line) => line.startsWith(`| \`${option}\` |`)) ?? ''
  for (const field of fieldsOf(file, name)) expect(row).toMatch(new RegExp(`\\b${field}\\b`))
})
