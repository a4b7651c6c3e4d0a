// The Process of every submit, and where executors ask for work. Ours and the bare server take the same requests.

import { requestText } from '../items/request-text.ts'

export const COLONY = '/apis/colonies.io/v1/namespaces/bench'
export const EXECUTOR_TYPE = 'bench'

/** The work of every Process, and of every node and run. */
export const processSpec = {
  funcName: 'resize',
  kwargs: { source: 's3://pictures/2026/11/holiday.jpg', width: 1280, height: 720, format: 'webp' },
  maxExecSeconds: 60,
  maxRetries: 3,
  conditions: { executorType: EXECUTOR_TYPE },
}

/** `number` is the placeholder that names the Process. */
function processBody(number: '{n}'): string {
  return JSON.stringify({
    apiVersion: 'colonies.io/v1',
    kind: 'Process',
    metadata: { name: `process-${number}`, namespace: 'bench' },
    spec: processSpec,
  })
}

export function submitText(port: number): string {
  return requestText(port, { method: 'POST', path: `${COLONY}/processes`, body: processBody('{n}') })
}

export function executorName(number: number): string {
  return `executor-${String(number).padStart(4, '0')}`
}

export function executorBody(number: number): object {
  return {
    apiVersion: 'colonies.io/v1',
    kind: 'Executor',
    metadata: { name: executorName(number), namespace: 'bench' },
    spec: { type: EXECUTOR_TYPE, functions: ['resize'] },
  }
}
