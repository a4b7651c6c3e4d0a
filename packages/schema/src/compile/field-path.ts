// The current path of a walk over an object. A valid object costs only pushes and pops; the text is built for an error.

/** Validation refuses values that are nested deeper; every other walk skips them. */
export const MAX_DEPTH = 1_000

export class FieldPath {
  #segments: (string | number)[] = []
  #length = 0

  push(segment: string | number): void {
    this.#segments[this.#length++] = segment
  }

  /** A map key written in brackets, as list-type and embedded-resource errors show it. */
  pushKey(key: string): void {
    this.#segments[this.#length++] = BRACKET + key
  }

  pop(): void {
    this.#length--
  }

  get depth(): number {
    return this.#length
  }

  toString(): string {
    let text = ''
    for (let i = 0; i < this.#length; i++) {
      const segment = this.#segments[i]
      if (typeof segment === 'number') text += `[${segment}]`
      else if (segment?.startsWith(BRACKET)) text += `[${segment.slice(1)}]`
      else text += text === '' ? segment : `.${segment}`
    }
    return text
  }
}

// Cannot be the start of a readable field name.
const BRACKET = '\u0000'
