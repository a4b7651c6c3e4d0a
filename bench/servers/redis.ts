// A Redis of the bench's own that has every write on disk before it answers, on a Unix socket.

import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { asServer, type Server, track } from './server.ts'

const READY_WITHIN_MS = 30_000

export interface Redis extends Server {
  readonly socket: string
}

export function hasRedis(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export async function startRedis(directory: string): Promise<Redis> {
  const socket = join(directory, 'redis.sock')
  const where = ['--port', '0', '--unixsocket', socket, '--dir', directory]
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '']
  const child = track(spawn('redis-server', [...where, ...durable], { stdio: 'ignore' }))
  const began = performance.now()
  while (!existsSync(socket)) {
    if (child.exitCode !== null) throw new Error('Redis ended before it was ready')
    if (performance.now() - began > READY_WITHIN_MS) throw new Error('Redis is not ready')
    await sleep(10)
  }
  return { ...asServer(child, 0), socket }
}
