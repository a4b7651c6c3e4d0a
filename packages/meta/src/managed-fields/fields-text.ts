// managedFields as stored text. Objects of one kind that were written in the same second have the very same text, so
// that what was read of one is kept and shared by many. Nobody changes such a list or what is in it.

import { writeJson } from '../json/write-json.ts'

/** The list of a stored object. Only for texts that this server wrote. */
export function readFieldsText(text: string): readonly unknown[] {
  const known = lists.get(text)
  if (known !== undefined) return known
  const list = JSON.parse(text) as unknown[]
  remember(text, list)
  return list
}

/** The text of a list: the one it was read from, when it was. */
export function fieldsText(list: readonly unknown[]): string {
  const known = texts.get(list)
  if (known !== undefined) return known
  const text = `[${list.map(entryText).join()}]`
  // What is read of it later has the same sets, and the sets have their texts. A list that is not frozen may still
  // change; its entries do not.
  remember(text, Object.isFrozen(list) ? list : list.slice())
  return text
}

const lists = new Map<string, readonly unknown[]>()
const texts = new WeakMap<readonly unknown[], string>()
let size = 0
const MAX_SIZE = 2 << 20
/** Longer ones are rare, and each its own. */
const MAX_TEXT = 32 << 10

function remember(text: string, list: readonly unknown[]): void {
  if (text.length > MAX_TEXT) return
  size += text.length
  if (size > MAX_SIZE) {
    lists.clear()
    size = text.length
  }
  lists.set(text, list)
  texts.set(list, text)
}

/** A write mostly changes the time of an entry and not its set, which is nearly all of it. */
function entryText(entry: unknown): string {
  if (!isRecord(entry)) return writeJson(entry)
  let text = ''
  for (const name of Object.keys(entry)) {
    const value = entry[name]
    if (value === undefined) continue
    const part = name === 'fieldsV1' && isRecord(value) ? setText(value) : writeJson(value)
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${part}`
  }
  return `{${text}}`
}

const setTexts = new WeakMap<object, string>()

function setText(set: object): string {
  let text = setTexts.get(set)
  if (text === undefined) {
    text = writeJson(set)
    setTexts.set(set, text)
  }
  return text
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
