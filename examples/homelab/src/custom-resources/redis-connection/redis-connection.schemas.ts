// A Redis server, with a login if it wants one.

import { z } from 'zod'
import { duration, host, objectName, port } from '../../fields.ts'

export const redisConnectionSpecSchema = z.object({
  host,
  port: port.default(6379),
  /** A Secret with `password`, and `user` where Redis has users, in the namespace of the connection. */
  credentials: z.object({ secret: objectName }).optional(),
  checkEvery: duration.default('30s'),
})

export const redisConnectionStatusSchema = z.object({ version: z.string() })

export const redisLoginSchema = z.object({ user: z.string().min(1).optional(), password: z.string() })
