// A database in an existing PostgreSQL server, with a role of the same name and a Secret for the application.

import { z } from 'zod'
import { duration, reference } from '../../fields.ts'
import { LONGEST_NAME } from '../../postgres/quote.ts'
import { rotationFields } from '../../rotation.ts'

const RESERVED = /^(pg_.*|postgres|template[01]|public|none)$/i

/** Any text that PostgreSQL takes for a name: it is quoted wherever it is used. */
const databaseName = z
  .string()
  .min(1)
  .max(LONGEST_NAME)
  .refine((name) => Buffer.byteLength(name) <= LONGEST_NAME, `has more than ${LONGEST_NAME} bytes`)
  .refine((name) => !name.includes('\0'), 'contains NUL')
  .refine((name) => !RESERVED.test(name), 'is reserved by PostgreSQL')

export const postgresDatabaseSpecSchema = z.object({
  /** A PostgresConnection: `namespace/name`, or a name in this namespace. */
  connection: reference,
  /** The name of database and role. Default: made of namespace and name. It cannot be changed later. */
  database: databaseName.optional(),
  extensions: z.array(z.string().min(1).max(LONGEST_NAME)).max(32).default([]),
  /** What becomes of the data when the resource is deleted. */
  deletionPolicy: z.enum(['Retain', 'Delete']).default('Retain'),
  rotation: z.object({ every: duration }).optional(),
})

export const postgresDatabaseStatusSchema = z.object({
  database: z.string(),
  connection: z.string(),
  secret: z.string(),
  rotatedAt: z.string(),
})

/** What an application gets. */
export const postgresDatabaseSecretSchema = z.object({
  host: z.string(),
  port: z.string(),
  database: z.string(),
  user: z.string(),
  password: z.string().regex(/^[A-Za-z0-9_-]{32,}$/),
  ...rotationFields,
})
