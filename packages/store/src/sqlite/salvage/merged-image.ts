// Writes the database as one file, from the data file and the frames of its WAL. Unlike SQLite it does not stop at a
// damaged frame. Salvage calls it; it does not change the files that it reads.

import { closeSync, copyFileSync, ftruncateSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { withFile } from '../loss-check.ts'
import { FRAME_HEADER_BYTES, scanWal, WAL_HEADER_BYTES, type WalFrame, type WalScan } from '../wal-scan.ts'

/**
 * Which frames are used: those that SQLite would use; all up to the last commit that is seen; or the same without those
 * whose checksum is wrong, since it may be their page number that changed.
 */
export type FrameChoice = 'recovered' | 'all' | 'sound'

export function writeMergedImage(file: string, target: string, choice: FrameChoice): void {
  withFile(file, (_, size) => (size === 0 ? writeFileSync(target, '') : copyFileSync(file, target)))
  withFile(`${file}-wal`, (read, size) => {
    const scan = scanWal(read, size)
    const image = openSync(target, 'r+')
    try {
      const frames = chosenFrames(scan, choice)
      for (const { page, index } of frames) {
        const at = WAL_HEADER_BYTES + index * (FRAME_HEADER_BYTES + scan.pageSize) + FRAME_HEADER_BYTES
        writeSync(image, read(at, scan.pageSize), 0, scan.pageSize, (page - 1) * scan.pageSize)
      }
      const pages = frames.findLast(({ commit }) => commit > 0)?.commit
      if (pages !== undefined) ftruncateSync(image, pages * scan.pageSize)
    } finally {
      closeSync(image)
    }
  })
}

function chosenFrames(
  { frames, salt, recovered, header }: WalScan,
  choice: FrameChoice,
): (WalFrame & { readonly index: number })[] {
  if (header === 'absent') return []
  const mine = frames
    .map((frame, index) => ({ ...frame, index }))
    .slice(0, choice === 'recovered' ? recovered : undefined)
    .filter((frame) => frame.salt === salt)
  const end = mine.findLastIndex(({ commit }) => commit > 0) + 1
  // A page number beyond every size that the database ever had is damage.
  const pages = Math.max(0, ...frames.filter(({ chains }) => chains).map(({ commit, page }) => Math.max(commit, page)))
  return mine
    .slice(0, end)
    .filter(({ page, chains, index }) => chains || (page > 0 && page <= pages && (choice !== 'sound' || index === 0)))
}
