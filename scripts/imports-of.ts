// Reads the module specifiers from a TypeScript source, for the import checks. It is not a parser: it relies on the
// formatting and does not see computed specifiers.

const shapes = [
  // import x from 'm', import type { x } from 'm', export * from 'm'; no other code fits between the words.
  /^\s*(?:import|export)\s+[\w$*\s{},]*?\bfrom\s+["']([^"']+)["']/gm,
  /^\s*import\s+["']([^"']+)["']/gm,
  /\bimport\(\s*["']([^"']+)["']/g,
]

export function importsOf(source: string): string[] {
  const code = source.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')
  return shapes.flatMap((shape) => [...code.matchAll(shape)].map((match) => match[1] ?? ''))
}
