// Converts a manifest to the form that is sent: `stringData` of a Secret becomes `data`. The server stores it so, but a
// manager that applies `stringData` does not own `data`: changes by others would stay, and dropped keys would never be
// removed. Pure.

import type { Manifest } from './reconcile-context.ts'

export function sentForm(manifest: Manifest): Manifest {
  const { stringData, data, ...rest } = manifest as Manifest & {
    readonly stringData?: unknown
    readonly data?: unknown
  }
  if (manifest.apiVersion !== 'v1' || manifest.kind !== 'Secret' || !isTexts(stringData)) return manifest
  const texts = Object.entries(stringData).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const encoded = texts.map(([name, text]) => [name, Buffer.from(text, 'utf8').toString('base64')] as const)
  return { ...rest, data: { ...(data as object | undefined), ...Object.fromEntries(encoded) } } as Manifest
}

/** Any other value is left for the server to refuse. */
function isTexts(value: unknown): value is Readonly<Record<string, string | undefined>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every((text) => text === undefined || typeof text === 'string')
}
