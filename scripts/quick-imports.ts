// Shortens the way from an import to its file. The sources name their files exactly, so that nothing need be looked up,
// and a package is the same one for all of them; Node looks at the disk and for a package.json at every import, which
// is a fifth of the time a start takes. bootstrap.mjs has Node import it before the command; a bundle needs nothing like it.

import { realpathSync } from 'node:fs'
import { type ResolveFnOutput, registerHooks } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

const SOURCES = new URL('../packages/', import.meta.url).href
const packages = new Map<string, ResolveFnOutput>()

registerHooks({
  resolve(specifier, context, next) {
    const from = context.parentURL
    if (!from?.startsWith(SOURCES)) return next(specifier, context)
    if (specifier.startsWith('.') && specifier.endsWith('.ts')) {
      return { url: joined(from, specifier), format: 'module-typescript', shortCircuit: true }
    }
    if (!specifier.startsWith('@homeostat/')) return next(specifier, context)
    let found = packages.get(specifier)
    if (found === undefined) {
      const resolved = next(specifier, context)
      // Node 22 may leave the link in node_modules in the path, under which it strips no types.
      const url = pathToFileURL(realpathSync(fileURLToPath(resolved.url))).href
      found = { ...resolved, url, shortCircuit: true }
      packages.set(specifier, found)
    }
    return found
  },
})

/** As `new URL(specifier, from).href`, for paths that need no escaping: they come from one that is escaped already. */
function joined(from: string, specifier: string): string {
  let folder = from.slice(0, from.lastIndexOf('/'))
  let path = specifier.startsWith('./') ? specifier.slice(2) : specifier
  while (path.startsWith('../')) {
    folder = folder.slice(0, folder.lastIndexOf('/'))
    path = path.slice(3)
  }
  return `${folder}/${path}`
}
