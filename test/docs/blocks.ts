// The code blocks of everything that users read, for the tests that compile and run them as printed.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

export interface Block {
  /** E.g. `docs/client.md`. */
  readonly page: string
  /** E.g. `docs/client.md ts 2`: the second of its language on its page. */
  readonly id: string
  readonly code: string
}

/** All blocks of a language, in the order in which they are read. */
export function blocks(language: 'ts' | 'bash'): Block[] {
  const pages = globSync(['README.md', 'docs/*.md', 'examples/*/README.md'], { cwd: root }).toSorted()
  return pages.flatMap((page) => {
    const found = readFileSync(join(root, page), 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)
    const own = [...found].filter(([, named]) => named === language)
    return own.map(([, , code = ''], index) => ({ page, id: `${page} ${language} ${index + 1}`, code }))
  })
}
