// A domain name with a certificate for it and its subdomains, and a gateway that serves them.

import { z } from 'zod'
import { objectName } from '../../fields.ts'

/** Without a wildcard and without a dot at the end. */
const hostname = z
  .string()
  .max(200)
  .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/)

export const domainSpecSchema = z.object({
  hostname,
  /** A ClusterIssuer of cert-manager. */
  issuer: objectName,
  /** Where the gateway's pods run. Istio looks for certificates there. */
  ingress: z
    .object({
      namespace: objectName.default('istio-ingress'),
      selector: z.record(z.string(), z.string()).default({ istio: 'ingress' }),
    })
    .prefault({}),
})

export const domainStatusSchema = z.object({
  hosts: z.array(z.string()),
  certificate: z.string(),
  /** Of the certificate, in the namespace of the ingress. */
  secretName: z.string(),
})
