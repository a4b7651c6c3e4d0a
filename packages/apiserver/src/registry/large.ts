// What counts as a large object: work on it yields to the event loop between its steps; a small one passes in one go.

/** Above so many bytes an object, or the body that brings it, is large. */
export const LARGE = 64 << 10
