// What takes long for a large object is done in steps, each in a turn of the event loop of its own, so that others
// are served in between. A small object passes in one go.

/** Above so many bytes an object, or the body that brings it, is large. */
export const LARGE = 64 << 10

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}
