// Texts of the user in messages: quoted, so that they end where they end and cannot move the cursor of a terminal.

export function quoted(text: string): string {
  return JSON.stringify(text)
}

/** A path as it can be pasted into a shell: quoted only if it has to be. */
export function shownPath(path: string): string {
  return /^[\w./@+-]+$/.test(path) ? path : quoted(path)
}
