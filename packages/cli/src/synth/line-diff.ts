// The lines in which two texts differ, with a few around them, as `diff -u` shows them. Pure.

const CONTEXT = 2

/** Empty for equal texts. */
export function lineDiff(before: string, after: string): string[] {
  const [a, b] = [before.split('\n'), after.split('\n')]
  const lines = edits(a, b)
  const near = new Set<number>()
  for (const [at, line] of lines.entries()) {
    if (line.startsWith(' ')) continue
    for (let other = at - CONTEXT; other <= at + CONTEXT; other++) near.add(other)
  }
  return lines.flatMap((line, at) => {
    if (!near.has(at)) return []
    return near.has(at - 1) || at === 0 ? [line] : ['...', line]
  })
}

/** All lines: kept with a space before them, removed with a minus, added with a plus. */
function edits(a: readonly string[], b: readonly string[]): string[] {
  // Length of the longest common subsequence of the ends from i and j on.
  const width = b.length + 1
  const common = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] =
        a[i] === b[j]
          ? at(common, (i + 1) * width + j + 1) + 1
          : Math.max(at(common, (i + 1) * width + j), at(common, i * width + j + 1))
    }
  }
  const lines: string[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push(` ${a[i++]}`)
      j++
    } else if (i < a.length && (j >= b.length || at(common, (i + 1) * width + j) >= at(common, i * width + j + 1))) {
      lines.push(`-${a[i++]}`)
    } else {
      lines.push(`+${b[j++]}`)
    }
  }
  return lines
}

function at(numbers: Uint32Array, index: number): number {
  return numbers[index] ?? 0
}
