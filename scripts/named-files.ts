// Checks that the files which documents name exist: a walk through the code that leads to a file of the past is worse than none.
// A name counts when a file of the project ends in it; names with capital letters stand for any (`verbs/NOUN/VERB.ts`).

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sourceFiles } from './source-files.ts'

const DOCUMENTS = /^(docs\/(architecture|adr\/[^/]+)|CONTRIBUTING|packages\/[^/]+\/README)\.md$/

export function checkNamedFiles(root: string): { problems: string[]; seen: string } {
  const files = sourceFiles(root)
  const documents = files.filter((path) => DOCUMENTS.test(path))
  const problems = documents.flatMap((path) =>
    missingFiles(readFileSync(join(root, path), 'utf8'), files).map((name) => `${path}: there is no ${name}`),
  )
  if (documents.length === 0) problems.push('the checker saw no documents')
  return { problems, seen: `${documents.length} documents` }
}

export function missingFiles(text: string, files: readonly string[]): string[] {
  const names = [...text.matchAll(/`([\w./-]+\.(?:ts|json|mjs))`/g)].map((match) => match[1] ?? '')
  return names.filter((name) => !/[A-Z]{2}/.test(name) && !files.some((path) => `/${path}`.endsWith(`/${name}`)))
}
