// What a press of a key means, and when it means nothing: while somebody writes. Pure.

export interface Press {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

/** `j`, `?`, `Control+d`; undefined for what belongs to the browser or the system. */
export function keyName({ key, ctrlKey, metaKey, altKey }: Press): string | undefined {
  if (altKey) return undefined
  if (ctrlKey || metaKey) return key.length === 1 ? `Control+${key.toLowerCase()}` : undefined
  return key
}

/** Where letters are text. */
export function isWriting(
  place: { readonly tagName?: string; readonly isContentEditable?: boolean; readonly type?: string } | null,
): boolean {
  if (place === null) return false
  if (place.isContentEditable || place.tagName === 'TEXTAREA' || place.tagName === 'SELECT') return true
  return place.tagName === 'INPUT' && place.type !== 'checkbox' && place.type !== 'radio'
}
