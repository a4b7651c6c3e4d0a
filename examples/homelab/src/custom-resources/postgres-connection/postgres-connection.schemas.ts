// A PostgreSQL server, and a login on it that may create databases and roles.

import { z } from 'zod'
import { duration, host, objectName, port } from '../../fields.ts'

export const postgresConnectionSpecSchema = z.object({
  host,
  port: port.default(5432),
  /** `verify-full` also checks the certificate and the name in it. */
  tls: z.enum(['disable', 'require', 'verify-full']).default('disable'),
  /** Where the operator logs in for work on the server. */
  database: z.string().min(1).max(63).default('postgres'),
  /** A Secret with `user` and `password`, in the namespace of the connection. */
  credentials: z.object({ secret: objectName }),
  /** Whose PostgresDatabases may use it besides those of its own namespace; `*` is everybody's. */
  allowedNamespaces: z.array(z.string().max(63)).max(100).default([]),
  /** Extensions that a PostgresDatabase may have besides those that PostgreSQL calls trusted. */
  allowedExtensions: z.array(z.string().max(63)).max(100).default([]),
  /** PostgreSQL says nothing when it goes or is changed: how often to look. */
  checkEvery: duration.default('30s'),
})

export const postgresConnectionStatusSchema = z.object({ version: z.string() })

/** The Secret that `credentials` names. */
export const postgresLoginSchema = z.object({ user: z.string().min(1), password: z.string() })
