// Shortens the way from an import to its file. The sources name their files exactly, so that nothing need be looked up;
// Node looks at the disk and for a package.json around every one of them, a fifth of the time a start takes.
// Imported first by the command. When published there are no .ts files and this does nothing.

import { registerHooks } from 'node:module'

const SOURCES = new URL('../../', import.meta.url).href

registerHooks({
  resolve(specifier, context, next) {
    const from = context.parentURL
    if (!specifier.startsWith('.') || !specifier.endsWith('.ts') || !from?.startsWith(SOURCES)) {
      return next(specifier, context)
    }
    return { url: new URL(specifier, from).href, format: 'module-typescript', shortCircuit: true }
  },
})
