// managedFields as stored text. Objects of one kind that were written in the same second have the very same text, so
// that what was read of one is kept and shared by many. Nobody changes such a list or what is in it.

/** The list of a stored object. Only for texts that this server wrote. */
export function readFieldsText(text: string): unknown[] {
  const known = lists.get(text)
  if (known !== undefined) return known
  const list = JSON.parse(text) as unknown[]
  remember(text, list)
  return list
}

/** The text of a list: the one it was read from, when it was. */
export function fieldsText(list: readonly unknown[]): string {
  return texts.get(list) ?? JSON.stringify(list)
}

const lists = new Map<string, unknown[]>()
const texts = new WeakMap<readonly unknown[], string>()
let size = 0
const MAX_SIZE = 2 << 20
/** Longer ones are rare, and each its own. */
const MAX_TEXT = 32 << 10

function remember(text: string, list: unknown[]): void {
  if (text.length > MAX_TEXT) return
  size += text.length
  if (size > MAX_SIZE) {
    lists.clear()
    size = text.length
  }
  lists.set(text, list)
  texts.set(list, text)
}
