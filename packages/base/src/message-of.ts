// The message of any thrown value, for log lines, conditions and messages of other errors.

/** The message of an error, or its name when it has none; anything else as a string. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error)
}
