// Encodes the values of a Secret as authors write them. `data` holds base64: plain text there is refused, or silently
// decodes to another value if it happens to be valid base64. `stringData` takes plain text, which is encoded before it
// is compared and sent.

import type { Sent } from '@homeostat/client'
import type { Manifest } from './reconcile-context.ts'

declare const BASE64: unique symbol

/** A string that `base64()` encoded. */
export type Base64 = string & { readonly [BASE64]: true }

export function base64(value: string | Uint8Array): Base64 {
  return Buffer.from(value).toString('base64') as Base64
}

/** The fields that an author may set; a Secret takes plain text in `stringData` only. */
export type SentFields<T> = T extends { kind: 'Secret' }
  ? Omit<Sent<T>, NotSent | 'data'> & { data?: Readonly<Record<string, Base64>> | undefined }
  : Omit<Sent<T>, NotSent>

type NotSent = 'apiVersion' | 'kind' | 'metadata' | 'status'

/** The manifest with its plain text encoded. Throws for `data` that is not base64. */
export function encodeSecretText(manifest: Manifest): Manifest {
  if (manifest.apiVersion !== 'v1' || manifest.kind !== 'Secret') return manifest
  const { stringData, ...rest } = manifest as Manifest & SecretFields
  for (const [key, value] of Object.entries(rest.data ?? {})) {
    if (typeof value === 'string' && Buffer.from(value, 'base64').toString('base64') === value) continue
    throw new Error(`Secret ${manifest.metadata.name}: data.${key} is not base64; write plain text in stringData`)
  }
  if (stringData === undefined) return manifest
  const encoded = Object.entries(stringData).map(([key, text]) => [key, base64(text)] as const)
  return { ...rest, data: { ...rest.data, ...Object.fromEntries(encoded) } }
}

interface SecretFields {
  readonly data?: Readonly<Record<string, unknown>>
  readonly stringData?: Readonly<Record<string, string>>
}
