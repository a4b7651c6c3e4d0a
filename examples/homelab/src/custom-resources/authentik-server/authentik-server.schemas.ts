// An identity provider: Authentik on a Domain, a PostgresDatabase and a RedisConnection of the same namespace.

import { z } from 'zod'
import { duration, objectName } from '../../fields.ts'
import { rotationFields } from '../../rotation.ts'

export const authentikServerSpecSchema = z.object({
  domain: objectName,
  database: objectName,
  redis: objectName,
  /** Below the hostname of the domain. */
  subdomain: z
    .string()
    .max(63)
    .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/)
    .default('authentik'),
  image: z.string().min(1).max(512).default('ghcr.io/goauthentik/server:2025.8.1'),
  replicas: z.object({ server: z.int().min(0).default(1), worker: z.int().min(0).default(1) }).prefault({}),
  rotation: z.object({ every: duration }).optional(),
})

export const authentikServerStatusSchema = z.object({
  url: z.string(),
  /** For the applications that let people log in here. */
  sso: z.object({
    authorize: z.string(),
    token: z.string(),
    userInfo: z.string(),
    revoke: z.string(),
    introspect: z.string(),
    endSession: z.string(),
  }),
  rotatedAt: z.string(),
})

/** What Authentik itself needs: the key of its sessions, and the first administrator. */
export const authentikServerSecretSchema = z.object({
  secretKey: z.string().min(50),
  bootstrapPassword: z.string().min(20),
  bootstrapToken: z.string().min(20),
  ...rotationFields,
})
