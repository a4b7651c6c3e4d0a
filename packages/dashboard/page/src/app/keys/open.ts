// By which a button opens what a key does.

export type Open = 'palette' | 'kinds' | 'help'

/** The name of the event. */
export const OPEN = 'homeostat-open'

export function openByButton(what: Open): void {
  dispatchEvent(new CustomEvent(OPEN, { detail: what }))
}
