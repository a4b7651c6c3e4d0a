// The message of a thrown value. It repeats messageOf of @homeostat/base because the store's thread must import no other
// package: it starts first, without the condition under which the sources of packages are found.

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error)
}
