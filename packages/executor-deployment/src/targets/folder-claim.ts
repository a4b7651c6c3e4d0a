// Locks a folder against a second controller: neither would see the units of the other. The lock is a listening socket,
// which ends with its process, even after a crash.

import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** Returns the function that unlocks the folder. Rejects when another process holds the lock. */
export async function claimFolder(folder: string): Promise<() => Promise<void>> {
  const address = addressOf(resolve(folder))
  const server = createServer((socket) => socket.destroy())
  for (let attempt = 0; ; attempt++) {
    const problem = await new Promise<NodeJS.ErrnoException | undefined>((settle) => {
      server.once('error', settle)
      server.listen(address, () => {
        server.off('error', settle)
        settle(undefined)
      })
    })
    if (!problem) break
    if (problem.code !== 'EADDRINUSE') throw problem
    if (attempt > 0 || (await isAnswered(address))) {
      throw new Error(`another controller keeps its executors in ${folder}: end it, or give this one another folder`)
    }
    rmSync(address, { force: true })
  }
  server.unref()
  return () => new Promise((settle) => server.close(() => settle()))
}

/** Linux has abstract socket names, which leave no file; elsewhere a file stays when its process is killed. */
function addressOf(folder: string): string {
  const name = `homeostat-${createHash('sha256').update(folder).digest('hex').slice(0, 24)}`
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), name)
}

function isAnswered(address: string): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect(address, () => {
      socket.destroy()
      settle(true)
    })
    socket.once('error', () => settle(false))
  })
}
