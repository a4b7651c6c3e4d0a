// One line of a unit's output as drivers keep it: `TIME STREAM F|P TEXT`, the format of container logs in Kubernetes.
// `P` marks a part of a line whose rest follows. Writers and readers of log files call this.

export interface LogRecord {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Without the line's end. */
  readonly text: Uint8Array
  /** The next record continues this line. */
  readonly partial: boolean
}

const TIME_LENGTH = '2026-01-01T00:00:00.000Z'.length

export function formatRecord(record: LogRecord, stream: 'stdout' | 'stderr'): Uint8Array {
  const head = `${new Date(record.at).toISOString()} ${stream} ${record.partial ? 'P' : 'F'} `
  return Buffer.concat([Buffer.from(head), record.text, NEWLINE])
}

/** Parses one line of a log file, without its newline. A malformed record, e.g. cut by a crash, is kept as text. */
export function parseRecord(line: Buffer): LogRecord {
  const at = Date.parse(line.toString('latin1', 0, TIME_LENGTH))
  const head = /^ (?:stdout|stderr) ([FP]) /.exec(line.toString('latin1', TIME_LENGTH, TIME_LENGTH + 10))
  if (Number.isNaN(at) || !head) return { at: 0, text: line, partial: false }
  return { at, text: line.subarray(TIME_LENGTH + head[0].length), partial: head[1] === 'P' }
}

const NEWLINE = Buffer.from('\n')
