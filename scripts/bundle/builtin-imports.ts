// Takes Node's own modules by a call instead of an import. An import of one reads all that it exports, and with that loads what
// nobody asked for, such as an HTTP client for node:http: 10 ms of CPU at each start. A plugin of the bundler, and
// stripped-sources.ts for the sources of a clone.

import type { Plugin } from 'rolldown'

export function builtinImports(): Plugin {
  return {
    name: 'builtin-imports',
    // As the bundler has printed it.
    generateBundle(_options, bundle) {
      for (const one of Object.values(bundle)) if (one.type === 'chunk') one.code = takeBuiltins(one.code)
    },
  }
}

/** What stands above the first statement that is no import: further down, such a line may be inside a text. */
const HEAD = /^(?:\s+|#!.*|\/\/.*|import(?:\s*\*\s*as\s+\w+\s*from|[\s\w${},]*from)?\s*(["'])[^"'\n]+\1;?)*/
const NAMED = /^import \{([^}]*)\} from (["'])(node:[^"']+)\2;?$/gm

/** Lines stay where they are, for the sake of the source maps and of stack traces. */
export function takeBuiltins(code: string): string {
  const [head = ''] = HEAD.exec(code) ?? []
  const taken = head.replace(NAMED, (_import, names: string, _quote, module: string) => {
    return `const {${names.replace(/ as /g, ': ')}} = process.getBuiltinModule("${module}");`
  })
  return taken + code.slice(head.length)
}
