// The lines of a stream of bytes, without their ends. The last one need not have an end.

const LINE_END = 10
/** Of a line, in bytes: a few times the largest object. */
const LONGEST = 16 << 20

/** Throws for a line that is longer than `longest`. */
export async function* linesOf(pieces: AsyncIterable<Uint8Array>, longest = LONGEST): AsyncGenerator<string> {
  let begun: Uint8Array[] = []
  let held = 0
  for await (const piece of pieces) {
    let from = 0
    for (let at = piece.indexOf(LINE_END); at >= 0; at = piece.indexOf(LINE_END, from)) {
      begun.push(piece.subarray(from, at))
      from = at + 1
      const line = Buffer.concat(begun).toString('utf8')
      begun = []
      held = 0
      if (line !== '') yield line
    }
    if (from < piece.length) begun.push(piece.subarray(from))
    held += piece.length - from
    if (held > longest) throw new Error(`a line is longer than ${longest} bytes`)
  }
  const last = Buffer.concat(begun).toString('utf8')
  if (last !== '') yield last
}
