// Which entries of the palette a text means, the likeliest first. Pure.

export interface Entry {
  /** Unique. */
  readonly key: string
  readonly title: string
  /** What else it is known by: short names, its group. */
  readonly words?: string
  /** What it is: `kind`, `namespace`, `action`, `object`, `screen`, `view`. */
  readonly sort: string
}

export interface Found<E> {
  readonly entry: E
  readonly score: number
}

/** Of equal ones the first given stands first. An empty text finds all. */
export function matching<E extends Entry>(entries: readonly E[], text: string, limit: number): E[] {
  const wanted = text
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const found = entries.flatMap((entry, place) => {
    const score = scoreOf(entry, wanted)
    return score === undefined ? [] : [{ entry, score, place }]
  })
  return found
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, limit)
    .map(({ entry }) => entry)
}

/** Every word must be found. */
function scoreOf({ title, words = '' }: Entry, wanted: readonly string[]): number | undefined {
  let score = 0
  for (const word of wanted) {
    const best = Math.max(wordScore(title.toLowerCase(), word), wordScore(words.toLowerCase(), word) - 1)
    if (best <= 0) return undefined
    score += best
  }
  return score
}

const EXACT = 100
const BEGINS = 60
const BEGINS_WORD = 40
const CONTAINS = 25
const SCATTERED = 10

function wordScore(text: string, word: string): number {
  if (text === '') return 0
  if (text === word || text.split(/[\s/]+/).includes(word)) return EXACT
  // Of two that begin alike, the shorter one is meant.
  if (text.startsWith(word)) return BEGINS - Math.min(15, (text.length - word.length) / 4)
  const at = text.indexOf(word)
  if (at > 0 && /[\s./:_-]/.test(text[at - 1] ?? '')) return BEGINS_WORD
  if (at >= 0) return CONTAINS
  return isScattered(text, word) ? SCATTERED : 0
}

/** All letters in their order, as in `cm` for ConfigMap. */
function isScattered(text: string, word: string): boolean {
  let from = 0
  for (const letter of word) {
    from = text.indexOf(letter, from) + 1
    if (from === 0) return false
  }
  return true
}
