// Makes declarations import declarations, since tsc leaves the names of sources in them, and indents them by tabs, which are shorter. Pure. A source that is left over is an error
// here and not a package that breaks for its users.

/** `from './x.ts'`, `import './x.ts'` and `import("./x.ts")`. */
const SPECIFIER = /(\bfrom |\bimport |\bimport\()(["'])(\.{1,2}\/[^"'\n]+)\.ts\2/g
/** Outside of comments. */
const SOURCE = /^(?!\s*(?:\/\/|\*|\/\*)).*["'](\.{1,2}\/[^"'\n]*\.ts)["']/m

const INDENT = /^(?: {4})+/gm

/** `file` is for the message. */
export function finishDeclarations(code: string, file: string): string {
  const finished = code.replace(SPECIFIER, '$1$2$3.js$2').replace(INDENT, (spaces) => '\t'.repeat(spaces.length / 4))
  const [, source] = SOURCE.exec(finished) ?? []
  if (source !== undefined) throw new Error(`${file} names the source ${source}`)
  return finished
}
