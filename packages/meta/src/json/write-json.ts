// Writes JSON, with a bigint digit for digit. Values of objects must be written with it, because JSON.stringify throws at a
// bigint. `npm run check` keeps a list of the files that may use JSON.stringify for something else.

// Not in the library types of the language level we compile for.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/** `indent`: how many spaces each level has; without it everything is on one line. */
export function writeJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? 'null'
  } catch (error) {
    // A bigint makes stringify throw; looking for one first would cost every write a walk.
    if (error instanceof TypeError) return JSON.stringify(value, rawBigInt, indent)
    throw error
  }
}

function rawBigInt(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? rawJSON(value.toString()) : value
}
