// A plugin of the bundler that takes Node's own modules by a call instead of an import. An import of one reads all that it exports,
// and with that loads what nobody asked for, such as an HTTP client for node:http: 10 ms of CPU at each start.

import type { Plugin } from 'rolldown'

export function builtinImports(): Plugin {
  return {
    name: 'builtin-imports',
    // As the bundler has printed it: one line for each module.
    generateBundle(_options, bundle) {
      for (const one of Object.values(bundle)) if (one.type === 'chunk') one.code = takeBuiltins(one.code)
    },
  }
}

const NAMED = /^import \{ ([^}]*) \} from "(node:[^"]+)";$/gm

/** Lines stay where they are, for the sake of the source maps. */
export function takeBuiltins(code: string): string {
  return code.replace(NAMED, (_line, names: string, module: string) => {
    const taken = names.split(', ').map((name) => name.replace(' as ', ': '))
    return `const { ${taken.join(', ')} } = process.getBuiltinModule("${module}");`
  })
}
