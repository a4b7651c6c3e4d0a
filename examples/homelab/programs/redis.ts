// A Redis server of its own, with a password.

import { pingRedis } from '../src/redis/ping.ts'
import { freePort, requireProgram, type Started, start, temporaryFolder } from './program.ts'

export interface Redis extends Started {
  readonly password: string
}

export async function startRedis(): Promise<Redis> {
  const path = requireProgram('redis-server', 'redis-server')
  const folder = temporaryFolder('redis')
  const port = await freePort()
  const password = 'only-on-loopback'
  const settings = { port, bind: '127.0.0.1', dir: folder, save: '', requirepass: password }
  const args = Object.entries(settings).flatMap(([key, value]) => [`--${key}`, String(value)])
  const answers = () =>
    pingRedis({ host: '127.0.0.1', port, password }, AbortSignal.timeout(5000)).then(
      () => true,
      () => false,
    )
  return { ...(await start({ path, args, folder, port, answers })), password }
}
