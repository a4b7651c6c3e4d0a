// What is watched beside a Process that waits: the executors that could run it.

import type { Watched } from '../../access/wait.ts'

export function executorsOfType(namespace: string, type: string): Watched {
  const fieldSelector = `spec.type=${type}`
  return { apiVersion: 'colonies.io/v1', kind: 'Executor', selection: { namespace, fieldSelector } }
}
