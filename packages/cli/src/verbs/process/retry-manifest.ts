// Copies a Process that has ended, to submit it again under a generated name. Pure.

import type { Process } from '@homeostat/executor/protocol'
import type { ProcessManifest } from './process-manifest.ts'

export function retryManifest({ metadata, spec }: Process): ProcessManifest {
  const { cancel: _, ...wanted } = spec
  const { name = '', namespace = '', labels, annotations } = metadata
  return {
    apiVersion: 'colonies.io/v1',
    kind: 'Process',
    metadata: {
      generateName: `${stemOf(name, metadata.generateName)}-`,
      namespace,
      ...(labels && { labels }),
      ...(annotations && { annotations }),
    },
    spec: wanted,
  }
}

/** The retry of a retry is named after the first process. */
function stemOf(name: string, generatedFrom: string | undefined): string {
  const stem = generatedFrom && name.startsWith(generatedFrom) ? generatedFrom.replace(/-$/, '') : name
  return stem.slice(0, 200)
}
