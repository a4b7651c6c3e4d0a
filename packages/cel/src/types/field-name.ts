// Names of fields as expressions write them: what is no identifier of CEL is escaped (`foo-bar` is `foo__dash__bar`, `in` is
// `__in__`). schema-type.ts calls it for the fields of object types.

import { reservedWords } from './reserved-words.ts'

const keywords: ReadonlySet<string> = new Set(['true', 'false', 'null', 'in'])

const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
}

/** Undefined for a name that expressions cannot reach. */
export function escapeFieldName(name: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined
  if (keywords.has(name) || reservedWords.has(name)) return `__${name}__`
  return name.replace(/__|[./-]/g, (found) => escapes[found] as string)
}
