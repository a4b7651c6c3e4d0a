// Reads the module specifiers out of a TypeScript source. The import check calls it. It knows the shapes a
// formatted source has, and is no parser: a specifier that is computed is not seen.

const shapes = [
  // import x from 'm', import type { x } from 'm', export * from 'm'; no other code fits between the words.
  /^\s*(?:import|export)\s+[\w$*\s{},]*?\bfrom\s+'([^']+)'/gm,
  /^\s*import\s+'([^']+)'/gm,
  /\bimport\(\s*'([^']+)'/g,
]

export function importsOf(source: string): string[] {
  const code = source.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')
  return shapes.flatMap((shape) => [...code.matchAll(shape)].map((match) => match[1] ?? ''))
}
