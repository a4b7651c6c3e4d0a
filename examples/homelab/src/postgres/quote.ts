// Makes SQL of names and texts that anybody may have chosen. Statements such as CREATE ROLE take no parameters, so this is
// the only protection they have. Pure.

/** The most that PostgreSQL keeps of a name; it cuts longer ones silently, and two may become one. */
export const LONGEST_NAME = 63

export function quoteName(name: string): string {
  if (name === '' || name.includes('\0') || Buffer.byteLength(name) > LONGEST_NAME) {
    throw new Error(`${JSON.stringify(name)} is no name in PostgreSQL: it has 1 to ${LONGEST_NAME} bytes, and no NUL`)
  }
  return `"${name.replaceAll('"', '""')}"`
}

/** As an escape string, whatever standard_conforming_strings says. */
export function quoteText(text: string): string {
  if (text.includes('\0')) throw new Error('a text in PostgreSQL cannot hold NUL')
  return `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
