// Dependencies whose code a library carries instead of installing them: a package brings every build of itself, for browsers and for
// `require` too, and an operator needs one.

/** The names of the inlined packages by the folder of the library. No declaration of the library may mention them. */
export const INLINED: Readonly<Record<string, readonly string[]>> = {
  'packages/cel': ['re2js'],
  'packages/client': ['yaml'],
}
