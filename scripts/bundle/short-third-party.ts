// A plugin of the bundler for code of other packages that a library carries: it has files of its own, made as small as can be.
// Our own code stays as it is, so that a stack trace can be read.

import type { CodeSplittingGroup, Plugin } from 'rolldown'
import { minifySync } from 'rolldown/utils'

const PACKAGE = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//

/** A file for each package. */
export const thirdPartyGroup: CodeSplittingGroup = {
  debugName: 'third-party',
  name: (module) => PACKAGE.exec(module)?.[1]?.replace('/', '-') ?? null,
}

export function shortThirdParty(): Plugin {
  return {
    name: 'short-third-party',
    // Not earlier: the bundler's own printer puts the space back.
    generateBundle(_options, bundle) {
      for (const one of Object.values(bundle)) {
        if (one.type !== 'chunk' || !isThirdParty(one.moduleIds)) continue
        const { code, errors } = minifySync(one.fileName, one.code, {
          module: true,
          compress: true,
          mangle: true,
          codegen: { removeWhitespace: true },
        })
        if (errors.length > 0) throw new Error(`${one.fileName}: ${errors[0]?.message}`)
        one.code = code
        // It would lead to wrong lines.
        one.map = null
      }
    },
  }
}

/** The bundler has modules of its own among them. */
function isThirdParty(modules: readonly string[]): boolean {
  return (
    modules.some((module) => PACKAGE.test(module)) &&
    modules.every((module) => module.startsWith('\0') || PACKAGE.test(module))
  )
}
