// Finds the name that somebody may have meant by a word that is none. Pure.

/** Undefined when no name is close: at most a third of the letters may differ. */
export function nearest<N extends string>(word: string, names: readonly N[]): N | undefined {
  const asked = plain(word)
  const limit = Math.max(1, Math.floor(asked.length / 3))
  const ranked = names.map((name) => ({ name, far: distance(asked, plain(name)) }))
  const [best] = ranked.filter(({ far }) => far <= limit).sort((a, b) => a.far - b.far)
  return best?.name
}

/** `dataDir`, `data_dir` and `data-dir` are one word in different styles. */
function plain(word: string): string {
  return word.slice(0, 64).replace(/[-_ ]/g, '').toLowerCase()
}

/** The fewest steps from one to the other: add, drop or replace a letter, or swap two neighbours. */
function distance(a: string, b: string): number {
  let last: readonly number[] = []
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++) {
      const replaced = at(row, j) + (a[i] === b[j] ? 0 : 1)
      const swapped = i > 0 && j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j] ? at(last, j - 1) + 1 : replaced
      next.push(Math.min(replaced, swapped, at(row, j + 1) + 1, at(next, j) + 1))
    }
    last = row
    row = next
  }
  return at(row, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
