// The lines of a stream of bytes, without their ends. The last one need not have an end.

const LINE_END = 10

export async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let begun: Uint8Array[] = []
  for await (const piece of pieces) {
    let from = 0
    for (let at = piece.indexOf(LINE_END); at >= 0; at = piece.indexOf(LINE_END, from)) {
      begun.push(piece.subarray(from, at))
      from = at + 1
      const line = Buffer.concat(begun).toString('utf8')
      begun = []
      if (line !== '') yield line
    }
    if (from < piece.length) begun.push(piece.subarray(from))
  }
  const last = Buffer.concat(begun).toString('utf8')
  if (last !== '') yield last
}
