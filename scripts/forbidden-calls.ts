// Checks that calls which are almost always wrong occur only in the files that call-rules.json lists, each with the
// reason why it is allowed there. A listed file without such a call is a problem, too.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sourceFiles } from './source-files.ts'

interface CallRule {
  /** Which files the rule covers. Default: sources. */
  readonly of?: 'sources' | 'unit tests'
  /** The call as in the code, up to the parenthesis. */
  readonly calls: readonly string[]
  /** The replacement to suggest. */
  readonly instead: string
  /** Allowed files by the reason. */
  readonly allowed: Readonly<Record<string, readonly string[]>>
}

const SOURCES = /^packages\/[^/]+\/src\/.*\.tsx?$/
const TESTS = /\.(test|fixture)\.tsx?$/

export function checkCalls(root: string): { problems: string[]; seen: string } {
  const rules = JSON.parse(readFileSync(join(root, 'scripts/call-rules.json'), 'utf8')) as readonly CallRule[]
  const files = sourceFiles(root).filter((path) => SOURCES.test(path))
  const texts = files.map((path) => [path, readFileSync(join(root, path), 'utf8')] as const)
  const of = {
    sources: new Map(texts.filter(([path]) => !TESTS.test(path))),
    'unit tests': new Map(texts.filter(([path]) => TESTS.test(path))),
  }
  const problems = rules.flatMap((rule) => callProblems(rule, of[rule.of ?? 'sources']))
  for (const [name, { size }] of Object.entries(of)) if (size === 0) problems.push(`the checker saw no ${name}`)
  return { problems, seen: `${rules.length} rules in ${files.length} files` }
}

export function callProblems(rule: CallRule, sources: ReadonlyMap<string, string>): string[] {
  const allowed = new Set(Object.values(rule.allowed).flat())
  const problems: string[] = []
  for (const [path, source] of sources) {
    const found = rule.calls.filter((call) => code(source).includes(call))
    if (found.length > 0 && !allowed.has(path)) problems.push(`${path}: ${found.join(', ')}: ${rule.instead}`)
    if (found.length > 0) allowed.delete(path)
  }
  return [
    ...problems,
    ...[...allowed].map((path) => `${path}: has no ${rule.calls.join(' or ')}; take it off the list`),
  ]
}

/** The text without comment lines. */
function code(source: string): string {
  return source.replace(/^\s*(\/\/|\/\*|\*).*$/gm, '')
}
