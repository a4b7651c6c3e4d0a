// Runs the writer program under strace and reads what it did to its files: every write with its bytes, every sync,
// and every acknowledgement, in the order in which the kernel saw them.

import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DATA_FILE } from '../../src/sqlite/format.ts'

export type DiskEvent =
  | { readonly type: 'write'; readonly file: string; readonly at: number; readonly bytes: Buffer }
  | { readonly type: 'sync'; readonly file: string }
  | { readonly type: 'truncate'; readonly file: string; readonly size: number }
  | { readonly type: 'unlink'; readonly file: string }
  | { readonly type: 'acknowledged'; readonly line: string }

const CALLS = 'pwrite64,write,pwritev,pwritev2,writev,fsync,fdatasync,ftruncate,unlink'
const program = fileURLToPath(new URL('../writer-program.ts', import.meta.url))

/** Why nothing can be recorded on this machine; undefined when it can. */
export function cannotRecord(): string | undefined {
  const tried = spawnSync('strace', ['-f', '--seccomp-bpf', '-o', '/dev/null', 'true'])
  if (tried.error !== undefined) return 'strace is not installed'
  return tried.status === 0 ? undefined : `strace does not work here: ${tried.stderr.toString().trim()}`
}

export interface Recording {
  /** What the writer does each time it runs. */
  readonly writes: number
  /** On a busy machine a checkpoint takes the pages of more writes: the writer runs again until it has made so many. */
  readonly checkpoints: number
  readonly durability: 'FULL' | 'NORMAL'
}

export function recordWriter(directory: string, { writes, checkpoints, durability }: Recording): DiskEvent[] {
  const events: DiskEvent[] = []
  for (let generation = 0; checkpointsIn(events) < checkpoints; generation++) {
    events.push(...recordRun(directory, generation, writes, durability))
  }
  return events
}

export function checkpointsIn(events: readonly DiskEvent[]): number {
  return events.filter((event) => event.type === 'sync' && event.file === DATA_FILE).length
}

function recordRun(directory: string, generation: number, writes: number, durability: string): DiskEvent[] {
  const output = join(directory, 'trace')
  const strace = ['-f', '-y', '-xx', '-s', '10000000', '--seccomp-bpf', '-e', `trace=${CALLS}`, '-o', output]
  const writer = [process.execPath, program, join(directory, 'data'), `${generation}`, '4', `${writes}`, durability]
  // Into a file: a pipe that nobody empties in time makes the writer fail.
  const acknowledged = openSync(join(directory, 'acknowledged'), 'w')
  const run = spawnSync('strace', [...strace, ...writer], { stdio: ['ignore', acknowledged, 'inherit'] })
  closeSync(acknowledged)
  if (run.status !== 0) throw new Error(`the recorded writer ended with ${run.status}`)
  return readTrace(readFileSync(output, 'latin1'))
}

export function readTrace(text: string): DiskEvent[] {
  const events: DiskEvent[] = []
  const unfinished = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, thread = '', call = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
    const resumed = /^<\.\.\. (\w+) resumed>/.exec(call)
    const name = resumed?.[1] ?? /^(\w+)\(/.exec(call)?.[1]
    if (call.endsWith('<unfinished ...>')) {
      unfinished.set(thread, call)
      // A write may reach the disk as soon as it begins; a sync holds only once it has ended.
      if (name !== 'fsync' && name !== 'fdatasync') events.push(...eventsOf(call))
    } else if (resumed === null) {
      events.push(...eventsOf(call))
    } else if (name === 'fsync' || name === 'fdatasync') {
      events.push(...eventsOf(unfinished.get(thread) ?? ''))
    }
  }
  return events
}

function eventsOf(call: string): DiskEvent[] {
  const onFile = /^(\w+)\((\d+)<([^>]*)>(.*)$/.exec(call)
  if (onFile !== null) {
    const [, name = '', fd, path = '', rest = ''] = onFile
    return fileEvents(name, Number(fd), basename(unhex(path).toString()), rest)
  }
  const unlinked = /^unlink\("([^"]*)"\)/.exec(call)
  return unlinked === null ? [] : [{ type: 'unlink', file: basename(unhex(unlinked[1] ?? '').toString()) }]
}

function fileEvents(name: string, fd: number, file: string, rest: string): DiskEvent[] {
  if (name === 'write' && fd === 1) return [{ type: 'acknowledged', line: unhex(quoted(rest)).toString().trim() }]
  if (!isOfStore(file)) return []
  if (name === 'fsync' || name === 'fdatasync') return [{ type: 'sync', file }]
  if (name === 'ftruncate') return [{ type: 'truncate', file, size: Number(/^, (\d+)/.exec(rest)?.[1]) }]
  const at = /", \d+, (\d+)/.exec(rest)
  if (name !== 'pwrite64' || at === null) throw new Error(`a call that the recording does not know: ${name}`)
  return [{ type: 'write', file, at: Number(at[1]), bytes: unhex(quoted(rest)) }]
}

/** The shared memory of SQLite is made anew at every start, and the lock holds nothing. */
function isOfStore(file: string): boolean {
  return (file.startsWith('homeostat.db') && !file.endsWith('-shm')) || file === 'high-water' || file === 'reservation'
}

function quoted(rest: string): string {
  return /"([^"]*)"/.exec(rest)?.[1] ?? ''
}

function unhex(text: string): Buffer {
  return Buffer.from(text.replaceAll('\\x', ''), 'hex')
}
