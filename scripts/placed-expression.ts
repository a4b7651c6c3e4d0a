// `new URL('./thread.ts', import.meta.url)` is the one way in which the sources find a file by its place. The bundle and the
// build of the packages follow it, and both refuse any other use of import.meta, which they could not follow.

const PLACED = /new URL\('(\.[^']+)', import\.meta\.url\)/g
const SELF = '\0self'

/** A cheap test for files that the expression may be in. */
export const MENTIONS_META = /\bimport\.meta\b/

/** The paths in the code, as written. */
export function placedPaths(code: string): string[] {
  return [...code.matchAll(PLACED)].map((match) => match[1] ?? '')
}

/** The code with each path replaced; throws when import.meta is used for anything else. `file` is for the message. */
export function replacePlaced(code: string, file: string, replace: (path: string) => string): string {
  const replaced = code.replace(PLACED, (_, path: string) => `new URL('${replace(path)}', ${SELF})`)
  if (MENTIONS_META.test(replaced)) {
    throw new Error(`import.meta is for new URL('./file', import.meta.url) alone: ${file}`)
  }
  return replaced.replaceAll(SELF, 'import.meta.url')
}
