import { retryManifest } from '@homeostat/colony/views'
import type { Process } from '@homeostat/executor/protocol'
import { expect, test } from 'vitest'
import { logQuery } from '../print-log.ts'
import { phaseText } from './follow-process.ts'
import { nameStem } from './process-manifest.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')

function process(status: Partial<Process['status']>, spec: object = {}): Process {
  const conditions = { executorType: 't' }
  return { metadata: { name: 'p' }, spec: { funcName: 'f', conditions, ...spec }, status } as Process
}

test.each([
  [process({ phase: 'Waiting' }), undefined, 'is Waiting'],
  [process({ phase: 'Waiting' }), 'nobody is there', 'is Waiting, nobody is there'],
  [process({ phase: 'Running', attempt: 2, executor: 'e' }), undefined, 'is Running, attempt 2, by e'],
  [
    process({ phase: 'Running', attempt: 1, executor: 'e' }, { cancel: true }),
    undefined,
    'is Running, attempt 1, by e, was told to end',
  ],
  [
    process({ phase: 'Waiting', attempt: 3, retries: 3, errors: ['no'], notBefore: '2026-01-01T00:00:04Z' }),
    undefined,
    'is Waiting, after attempt 3, for 4s more, last error: no',
  ],
  [process({ phase: 'Waiting', notBefore: '2025-01-01T00:00:00Z' }), undefined, 'is Waiting'],
])('%j', (one, nobody, text) => {
  expect(phaseText(one, nobody, NOW)).toBe(text)
})

test.each([
  ['echo', 'echo'],
  ['reconcile_executor_deployment', 'reconcile-executor-deployment'],
  ['Über Größe!', 'ber-gr-e'],
  ['___', 'process'],
  ['x'.repeat(80), 'x'.repeat(50)],
])('the name of a process that calls %s begins with %s', (text, stem) => {
  expect(nameStem(text)).toBe(stem)
})

test.each([
  [{}, ''],
  [{ follow: true, timestamps: true }, '?follow=true&timestamps=true'],
  [{ tail: 0, since: 1500 }, '?tailLines=0&sinceSeconds=2'],
])('logs of %j are asked for with %s', (values, query) => {
  const nothing = { follow: false, timestamps: false, tail: undefined, since: undefined }
  const server = { server: undefined, kubeconfig: undefined, namespace: undefined }
  expect(logQuery({ ...nothing, ...server, ...values })).toBe(query)
})

test('the copy of a process wants the same, and is named after the first of them', () => {
  const first = { ...process({}, { cancel: true, priority: 3 }), metadata: { name: 'a', namespace: 'n', uid: 'u' } }
  const copy = retryManifest(first)
  expect(copy).toEqual({
    apiVersion: 'colonies.io/v1',
    kind: 'Process',
    metadata: { generateName: 'a-', namespace: 'n' },
    spec: { funcName: 'f', conditions: { executorType: 't' }, priority: 3 },
  })
  const second = { ...first, metadata: { ...first.metadata, name: 'a-x2z4k', generateName: 'a-', labels: { l: 'm' } } }
  expect(retryManifest(second).metadata).toEqual({ generateName: 'a-', namespace: 'n', labels: { l: 'm' } })
})
