// The Warning header, as the Kubernetes API uses it: one 299 per text, the whole bounded.

const MAX_TOTAL = 4096
const SHORTENED = 256

export function warningHeader(texts: readonly string[]): string {
  const total = texts.reduce((sum, text) => sum + text.length, 0)
  const shown = total > MAX_TOTAL ? texts.map((text) => text.slice(0, SHORTENED)) : texts
  const out: string[] = []
  let size = 0
  for (const text of shown) {
    size += text.length
    if (size > MAX_TOTAL) break
    out.push(`299 - "${quote(text)}"`)
  }
  return out.join(', ')
}

/** Header values are one line of visible ASCII or latin-1; anything else is replaced. */
function quote(text: string): string {
  return text.replace(/[\\"]/g, '\\$&').replace(/[^\x20-\x7e\xa0-\xff]/g, '?')
}
