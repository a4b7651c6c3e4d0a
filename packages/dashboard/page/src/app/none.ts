/** How the core group, and the namespace of an object without one, are written in an address. */
export const NONE = '-'
