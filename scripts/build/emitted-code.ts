// What the build changes in the files that tsc writes: paths that tsc leaves as they are in the sources. Pure. A source's path
// that is left over is an error here and not a package that breaks for its users. Lengths stay, so that source maps stay right.

import { importsOf } from '../imports-of.ts'
import { replacePlaced } from '../placed-expression.ts'

/** `from './x.ts'`, `import './x.ts'` and `import("./x.ts")` in declarations, which tsc does not rewrite. */
const SPECIFIER = /(\bfrom |\bimport |\bimport\()(["'])(\.{1,2}\/[^"'\n]+)\.ts\2/g
/** Outside of comments. */
const SOURCE_PATH = /^(?!\s*(?:\/\/|\*|\/\*)).*["'](\.{1,2}\/[^"'\n]*\.ts)["']/gm

/** JavaScript: a thread or a program that is found by its place is a `.js` file now. */
export function finishCode(code: string, file: string): string {
  refuseSources(importsOf(code), file)
  return replacePlaced(code, file, (path) => path.replace(/\.ts$/, '.js'))
}

export function finishDeclarations(code: string, file: string): string {
  const finished = code.replace(SPECIFIER, '$1$2$3.js$2')
  refuseSources(
    [...finished.matchAll(SOURCE_PATH)].map((match) => match[1] ?? ''),
    file,
  )
  return finished
}

/** The map of a file in dist/, whose `source` is named by its path from there; the text of the source is inside. */
export function finishMap(text: string, source: string): string {
  return JSON.stringify({ ...JSON.parse(text), sources: [source] })
}

function refuseSources(paths: readonly string[], file: string): void {
  const source = paths.find((path) => /^\..*\.ts$/.test(path))
  if (source !== undefined) throw new Error(`${file} names the source ${source}`)
}
