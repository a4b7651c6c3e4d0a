// Decodes the body into an object of the resource: checks group, version and kind, and types the metadata.

import type { JsonRead } from '@homeostat/meta/server'
import { decodeBody } from '../../registry/decode-object.ts'
import type { Step, Write } from '../write.ts'

/** The body of a POST or PUT. */
export const takeBody: Step<JsonRead> = (write) => {
  write.body = write.input
}

/** Skips the parts that the body shares with `old`: they are decoded. */
export function decode(write: Write): void {
  if (write.body === undefined) throw new Error('there is nothing to decode')
  write.decoded = decodeBody(write.body, write.request, write.old)
  write.body = undefined
}
