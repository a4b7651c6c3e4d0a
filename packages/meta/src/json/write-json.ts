// Writes JSON, with a bigint digit for digit. Everything that leaves as JSON is written here.

// Not in the library types of the language level we compile for.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (error) {
    // A bigint makes stringify throw; asking first would cost every write a walk.
    if (error instanceof TypeError) return JSON.stringify(value, rawBigInt)
    throw error
  }
}

function rawBigInt(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? rawJSON(value.toString()) : value
}
