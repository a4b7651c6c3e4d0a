// What a thrown value says. The twin of messageOf in @homeostat/base: the store's thread loads no other package, since it starts
// before everything else and finds none under the conditions of the sources.

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error)
}
