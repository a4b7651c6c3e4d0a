// Texts in messages, quoted as Go's %q quotes them.

export function quote(text: string): string {
  return JSON.stringify(text)
}

export function quotedList(values: readonly string[]): string {
  return `[${values.map(quote).join(' ')}]`
}
