// The size from which an object is large: work on it yields to the event loop between steps.

/** An object, or a body, of more bytes is large. */
export const LARGE = 64 << 10
