import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FRAME_HEADER_BYTES, scanWal, WAL_HEADER_BYTES, type WalScan } from './wal-scan.ts'

const FRAME = FRAME_HEADER_BYTES + 4096
const { wal, commits } = recordedWal()
const last = commits.at(-1) ?? 0
const beforeLast = commits.at(-2) ?? 0

/** A WAL as SQLite writes it, and where each transaction of it ends, in frames. */
function recordedWal(): { wal: Buffer; commits: number[] } {
  const directory = mkdtempSync(join(tmpdir(), 'homeostat-wal-'))
  const file = join(directory, 'a.db')
  const db = new DatabaseSync(file)
  const ends: number[] = []
  db.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a INTEGER PRIMARY KEY, b)')
  for (let i = 0; i < 12; i++) {
    db.prepare('INSERT INTO t (b) VALUES (?)').run('x'.repeat(3000 * (1 + (i % 3))))
    ends.push((readFileSync(`${file}-wal`).length - WAL_HEADER_BYTES) / FRAME)
  }
  const bytes = readFileSync(`${file}-wal`)
  db.close()
  rmSync(directory, { recursive: true })
  return { wal: bytes, commits: ends }
}

function scan(bytes: Buffer): WalScan {
  return scanWal((at, length) => Buffer.from(bytes.subarray(at, at + length)), bytes.length)
}

function changed(change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(wal)
  change(copy)
  return copy
}

/** Where a frame begins. */
const at = (frame: number) => WAL_HEADER_BYTES + frame * FRAME

describe('what SQLite will recover', () => {
  it.each<[string, Buffer, Partial<WalScan>]>([
    ['all of a sound WAL', wal, { header: 'sound', recovered: last, lost: false }],
    ['nothing of an empty one', Buffer.alloc(0), { header: 'absent', recovered: 0, lost: false }],
    ['nothing of one cut within its header', wal.subarray(0, 20), { header: 'absent', lost: false }],
    ['nothing behind a damaged header', changed((copy) => copy.fill(0, 0, 32)), { header: 'damaged', recovered: 0 }],
    [
      'whole transactions of one that was cut',
      wal.subarray(0, at(last - 1) + 99),
      { recovered: beforeLast, lost: false },
    ],
    [
      'all but a torn last transaction',
      changed((copy) => copy.fill(7, at(beforeLast) + 30)),
      { recovered: beforeLast, lost: false },
    ],
  ])('%s', (_name, bytes, expected) => {
    expect(scan(bytes)).toMatchObject(expected)
  })
})

describe('what was durable and will be dropped', () => {
  it('is found for a changed bit in any transaction that two others followed', () => {
    const bits = fc.record({ byte: fc.nat(at(commits.at(-3) ?? 0) - WAL_HEADER_BYTES - 1), bit: fc.nat(7) })
    fc.assert(
      fc.property(bits, ({ byte, bit }) => {
        const bytes = changed((copy) => {
          const place = WAL_HEADER_BYTES + byte
          copy.writeUInt8(copy.readUInt8(place) ^ (1 << bit), place)
        })
        return scan(bytes).lost
      }),
    )
  })

  it('is never found after a power cut, whatever became of the sectors of the last transaction', () => {
    const fate = fc.constantFrom('kept', 'lost', 'random')
    const sectors = Math.ceil((wal.length - at(beforeLast)) / 512) + 1
    fc.assert(
      fc.property(
        fc.array(fate, { minLength: sectors, maxLength: sectors }),
        fc.infiniteStream(fc.nat(255)),
        (fates, noise) => {
          const bytes = changed((copy) => {
            const first = Math.floor(at(beforeLast) / 512)
            for (const [index, fate] of fates.entries()) {
              const from = Math.max((first + index) * 512, at(beforeLast))
              const end = Math.min((first + index + 1) * 512, copy.length)
              for (let i = from; i < end && fate !== 'kept'; i++)
                copy[i] = fate === 'lost' ? 0 : (noise.next().value ?? 0)
            }
          })
          const found = scan(bytes)
          return !found.lost && found.recovered >= beforeLast
        },
      ),
      { numRuns: 60 },
    )
  })

  it('is not what is left of an older generation', () => {
    const restarted = changed((copy) => {
      // Other salts in every frame from the third transaction on, as a WAL that started over and was overwritten so far.
      for (let frame = commits[2] ?? 0; frame < last; frame++) copy[at(frame) + 8] = (copy[at(frame) + 8] ?? 0) ^ 1
    })
    expect(scan(restarted)).toMatchObject({ recovered: commits[2], lost: false })
  })
})
