// Reads the names that a TypeScript module exports. Like imports-of.ts it is not a parser: it relies on the formatting.
// It does not support `export *`, which the project's entries do not use.

const declaration =
  /^export (?:declare )?(?:default )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type) (?:\{)?([\w$]+)/gm
const list = /^export (?:type )?\{([^}]*)\}/gm

export function exportedNames(source: string): string[] {
  const declared = [...source.matchAll(declaration)].map((match) => match[1] ?? '')
  const listed = [...source.matchAll(list)].flatMap((match) => (match[1] ?? '').split(','))
  const names = listed.map(
    (item) =>
      item
        .trim()
        .replace(/^type /, '')
        .split(' as ')
        .at(-1) ?? '',
  )
  return [...new Set([...declared, ...names.filter((name) => name !== '')])].sort()
}
