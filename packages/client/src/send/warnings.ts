// Warnings that a server sends with its answers, each told once.

import type { TransportResponse } from '../api/transport.ts'

/** Beyond it the texts are forgotten and may be told again; a server that counts in its warnings must not fill memory. */
const MAX_TEXTS = 1000

export class Warnings {
  readonly #tell: (text: string) => void
  readonly #told = new Set<string>()

  constructor(tell: (text: string) => void) {
    this.#tell = tell
  }

  hear(response: TransportResponse): void {
    const header = response.header('warning')
    if (header === undefined) return
    for (const text of warningTexts(header)) {
      if (this.#told.has(text)) continue
      if (this.#told.size >= MAX_TEXTS) this.#told.clear()
      this.#told.add(text)
      this.#tell(text)
    }
  }
}

/** The texts of code 299, the one that API servers use; other codes speak of caches. */
export function warningTexts(header: string): string[] {
  const warnings = header.matchAll(/(?:^|,)\s*(\d{3})\s+\S+\s+"((?:[^"\\]|\\.)*)"/g)
  return [...warnings].filter(([, code]) => code === '299').map(([, , text = '']) => text.replace(/\\(.)/g, '$1'))
}
