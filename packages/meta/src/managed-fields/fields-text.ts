// managedFields as stored text. Objects of one kind that were written in the same second have the same text, so the parsed
// list is cached and shared by many objects. Such a list and its entries must not be changed.

import { isObject } from '../json/is-object.ts'
import { writeJson } from '../json/write-json.ts'

/** Longer texts are rare, and no two are equal. */
const MAX_TEXT = 32 << 10
const MAX_SIZE = 2 << 20

/** Texts and the lists they were read from or written as. Bounded; part of a FieldMemory. */
export class FieldsTexts {
  readonly #lists = new Map<string, readonly unknown[]>()
  readonly #texts = new WeakMap<readonly unknown[], string>()
  readonly #setTexts = new WeakMap<object, string>()
  #size = 0

  /** The list of a stored object. Only for texts that this server wrote. */
  read(text: string): readonly unknown[] {
    const known = this.#lists.get(text)
    if (known !== undefined) return known
    const list = readFieldsText(text)
    this.#remember(text, list)
    return list
  }

  /** The text of a list: the one it was read from, when it was. */
  write(list: readonly unknown[]): string {
    const known = this.#texts.get(list)
    if (known !== undefined) return known
    const text = fieldsText(list, (set) => this.#setText(set))
    // A list that is read from the text later shares these sets, and the sets keep their texts. A list that is not
    // frozen may still change; its entries do not.
    this.#remember(text, Object.isFrozen(list) ? list : list.slice())
    return text
  }

  #remember(text: string, list: readonly unknown[]): void {
    if (text.length > MAX_TEXT) return
    this.#size += text.length
    if (this.#size > MAX_SIZE) {
      this.#lists.clear()
      this.#size = text.length
    }
    this.#lists.set(text, list)
    this.#texts.set(list, text)
  }

  #setText(set: object): string {
    let text = this.#setTexts.get(set)
    if (text === undefined) {
      text = writeJson(set)
      this.#setTexts.set(set, text)
    }
    return text
  }
}

export function readFieldsText(text: string): readonly unknown[] {
  return JSON.parse(text) as unknown[]
}

/** A write mostly changes the time of an entry and not its set, which is nearly all of it: `setText` may know its text. */
export function fieldsText(list: readonly unknown[], setText: (set: object) => string = writeJson): string {
  return `[${list.map((entry) => entryText(entry, setText)).join()}]`
}

function entryText(entry: unknown, setText: (set: object) => string): string {
  if (!isObject(entry)) return writeJson(entry)
  let text = ''
  for (const name of Object.keys(entry)) {
    const value = entry[name]
    if (value === undefined) continue
    const part = name === 'fieldsV1' && isObject(value) ? setText(value) : writeJson(value)
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${part}`
  }
  return `{${text}}`
}
