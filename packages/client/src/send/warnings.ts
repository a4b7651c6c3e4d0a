// Reports the warnings in a server's responses, each text once.

import type { TransportResponse } from '../api/transport.ts'

/** The set of reported texts is cleared at this size: warnings with a counter in them must not fill memory. */
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

/** The texts of code 299, the one that API servers use; other codes are about HTTP caches. */
export function warningTexts(header: string): string[] {
  const warnings = header.matchAll(/(?:^|,)\s*(\d{3})\s+\S+\s+"((?:[^"\\]|\\.)*)"/g)
  return [...warnings].filter(([, code]) => code === '299').map(([, , text = '']) => text.replace(/\\(.)/g, '$1'))
}
