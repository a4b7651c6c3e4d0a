// Copies a Process that has ended, to submit it again under a generated name. The command and the dashboard do. Pure.

import type { Process, ProcessSpec } from '@homeostat/executor/protocol'

export interface RetryManifest {
  readonly apiVersion: 'colonies.io/v1'
  readonly kind: 'Process'
  readonly metadata: {
    readonly generateName: string
    readonly namespace: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec: ProcessSpec
}

export function retryManifest({ metadata, spec }: Process): RetryManifest {
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
