// Asks a Redis server whether it answers, in its own protocol (RESP): AUTH, PING, INFO. One connection, a limit on time and on
// what is read.

import { connect, type Socket } from 'node:net'

export interface RedisServer {
  readonly host: string
  readonly port: number
  readonly user?: string | undefined
  readonly password?: string | undefined
}

const LIMIT_MS = 10_000
const LIMIT_BYTES = 1 << 20

/** The server answered with an error. */
export class RedisRefusal extends Error {}

/** The version of the server. Throws RedisRefusal when it wants another password. */
export async function pingRedis(server: RedisServer, signal: AbortSignal): Promise<string> {
  const { host, port, user, password } = server
  const login = password === undefined ? [] : [['AUTH', ...(user === undefined ? [] : [user]), password]]
  const commands = [...login, ['PING'], ['INFO', 'server']]
  const socket = connect({ host, port, signal: AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]) })
  try {
    socket.write(commands.map(encodeCommand).join(''))
    const replies = await readReplies(socket, commands.length)
    return /redis_version:(\S+)/.exec(replies.at(-1) ?? '')?.[1] ?? 'unknown'
  } finally {
    socket.destroy()
  }
}

/** Each word with its length, so that a password may hold anything. */
export function encodeCommand(words: readonly string[]): string {
  return `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`
}

async function readReplies(socket: Socket, count: number): Promise<string[]> {
  let read = Buffer.alloc(0)
  for await (const chunk of socket) {
    read = Buffer.concat([read, chunk as Buffer])
    const replies = decodeReplies(read, count)
    const refusal = replies.find((reply) => reply instanceof RedisRefusal)
    if (refusal) throw refusal
    if (replies.length === count) return replies as string[]
    if (read.length > LIMIT_BYTES) throw new Error('the answer is too long for Redis')
  }
  throw new Error('the connection ended before the answer')
}

/** The whole replies at the beginning of what was read; at most `count`. */
export function decodeReplies(read: Buffer, count: number): (string | RedisRefusal)[] {
  const replies: (string | RedisRefusal)[] = []
  let at = 0
  while (replies.length < count) {
    const end = read.indexOf('\r\n', at)
    if (end < 0) break
    const type = String.fromCharCode(read[at] ?? 0)
    const line = read.toString('utf8', at + 1, end)
    at = end + 2
    if (type === '-') replies.push(new RedisRefusal(line))
    else if (type === '+' || type === ':') replies.push(line)
    else if (type !== '$') throw new Error('this is no Redis server: it answers in another protocol')
    else {
      const length = Number(line)
      if (read.length < at + length + 2) break
      replies.push(read.toString('utf8', at, at + length))
      at += length + 2
    }
  }
  return replies
}
