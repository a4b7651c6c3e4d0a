// Reads the engine's streams of JSON, one value per line: events, and the progress of a pull.

/** A longer line is an error; no message of the engine is that long. */
const LONGEST_LINE = 1024 * 1024

export async function* jsonLines<T>(stream: AsyncIterable<Uint8Array>): AsyncIterable<T> {
  let rest = Buffer.alloc(0)
  for await (const chunk of stream) {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : Buffer.from(chunk)
    let start = 0
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE, start)) {
      const line = rest.toString('utf8', start, end).trim()
      if (line !== '') yield JSON.parse(line) as T
      start = end + 1
    }
    rest = rest.subarray(start)
    if (rest.length > LONGEST_LINE) throw new Error(`a line of Docker is longer than ${LONGEST_LINE} bytes`)
  }
  const last = rest.toString('utf8').trim()
  if (last !== '') yield JSON.parse(last) as T
}

const NEWLINE = '\n'.charCodeAt(0)
