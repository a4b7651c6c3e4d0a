// Checks that no module has mutable state: a `let`, or an empty Map, Set or array. State belongs to an object with an
// owner (the server, the router, a resource type), so that two of them in one process share nothing. Values that are
// computed once and never change are constants made by `once`. known-problems.json lists the exceptions.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sourceFiles } from './source-files.ts'

const SOURCES = /^packages\/[^/]+\/src\/.*\.tsx?$/
const TESTS = /\.(test|fixture)\.tsx?$/
const VARIABLE = /^(?:export )?(?:let|var) (\w+)/
/** Does not match declarations that are read-only or have a named type, which is read-only where it is declared. */
const EMPTY = [
  /^(?:export )?const (\w+)(?:: (?!Readonly).+)? = new (?:Weak)?(?:Map|Set)(?:<.*>)?\(\)$/,
  /^(?:export )?const (\w+)(?:: (?!readonly ).+\[\])? = \[\]$/,
]

export function checkModuleState(root: string): { problems: string[]; seen: string } {
  const files = sourceFiles(root).filter((path) => SOURCES.test(path) && !TESTS.test(path))
  const problems = files.flatMap((path) =>
    moduleState(readFileSync(join(root, path), 'utf8')).map(
      (name) => `${path} ${name}: module-level state; make it a field of the object that it belongs to`,
    ),
  )
  if (files.length === 0) problems.push('the checker saw no files')
  return { problems, seen: `${files.length} files` }
}

/** The names of variables at the start of a line, where formatted code has only module variables. */
export function moduleState(source: string): string[] {
  return source.split('\n').flatMap((line) => {
    const found = [VARIABLE, ...EMPTY].map((pattern) => pattern.exec(line)?.[1])
    return found.filter((name) => name !== undefined)
  })
}
