// Compares two resource versions. They are decimal numbers of any length without leading zeros, so a shorter one is
// smaller and equally long ones compare as text. A missing one is neither newer nor older.

export function isNewer(candidate: string | undefined, known: string | undefined): boolean {
  if (candidate === undefined || candidate === '' || known === undefined || known === '') return false
  return candidate.length === known.length ? candidate > known : candidate.length > known.length
}
