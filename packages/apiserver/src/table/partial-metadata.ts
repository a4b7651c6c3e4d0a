// Cuts an object's metadata out of its encoded bytes and wraps it as PartialObjectMetadata. Reads and watches call it
// for clients that want metadata only. It copies a slice and never parses.

import type { MetaVersion } from './table.ts'

const TAIL = Buffer.from('}')
const HEADS: Record<MetaVersion, Buffer> = {
  'meta.k8s.io/v1': head('meta.k8s.io/v1'),
  'meta.k8s.io/v1beta1': head('meta.k8s.io/v1beta1'),
}

/** `metaStart` is the offset of the opening brace of metadata, `metaEnd` the offset after its closing brace. */
export function partialMetadata(
  bytes: Uint8Array,
  metaStart: number,
  metaEnd: number,
  apiVersion: MetaVersion = 'meta.k8s.io/v1',
): Buffer {
  return Buffer.concat([HEADS[apiVersion], bytes.subarray(metaStart, metaEnd), TAIL])
}

function head(apiVersion: MetaVersion): Buffer {
  return Buffer.from(`{"kind":"PartialObjectMetadata","apiVersion":"${apiVersion}","metadata":`)
}
