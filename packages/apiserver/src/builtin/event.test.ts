import type { KubeObject } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { builtinNamed } from './builtin-named.fixture.ts'

const { strategy, columns, selectableFields } = builtinNamed('events')
const now = Date.parse('2026-01-01T01:00:00Z')

function event(fields: object = {}, namespace = 'n'): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e1', namespace },
    involvedObject: { kind: 'App', name: 'a', namespace },
    ...fields,
  }
}

function row(fields: object): Record<string, unknown> {
  return Object.fromEntries(columns.map((column) => [column.name, column.cell(event(fields), now)]))
}

describe('Event', () => {
  it('writes out what is not set, as Kubernetes does', () => {
    const object = event({ reason: 'Done' })
    strategy.applyDefaults(object)
    const zeros = { eventTime: null, firstTimestamp: null, lastTimestamp: null, source: {} }
    expect(object).toEqual(event({ reason: 'Done', reportingComponent: '', reportingInstance: '', ...zeros }))
  })

  it.each([
    ['n', 'n', []],
    ['n', 'other', ['involvedObject.namespace']],
    ['n', undefined, ['involvedObject.namespace']],
    ['default', undefined, []],
  ])('in namespace %s about an object in %s has wrong %o', (namespace, involved, wrong) => {
    const object = event(
      { involvedObject: { kind: 'App', name: 'a', ...(involved && { namespace: involved }) } },
      namespace,
    )
    expect(strategy.validate(object).map((cause) => cause.field)).toEqual(wrong)
  })

  it('with an event time needs a reporter and a reason', () => {
    const fields = strategy.validate(event({ eventTime: '2026-01-01T00:00:00.000000Z' })).map((cause) => cause.field)
    expect(new Set(fields)).toEqual(new Set(['reportingComponent', 'reportingInstance', 'action', 'reason']))
    const good = { reportingComponent: 'example.com/c', reportingInstance: 'c-1', action: 'Ran', reason: 'Done' }
    expect(strategy.validate(event({ eventTime: '2026-01-01T00:00:00.000000Z', ...good }))).toEqual([])
  })

  it('shows an old-style event as kubectl does', () => {
    expect(
      row({
        reason: 'Done',
        type: 'Normal',
        message: ' it is done\n',
        source: { component: 'c', host: 'h' },
        firstTimestamp: '2026-01-01T00:00:00Z',
        lastTimestamp: '2026-01-01T00:59:00Z',
        count: 3,
      }),
    ).toMatchObject({
      'Last Seen': '60s',
      Type: 'Normal',
      Reason: 'Done',
      Object: 'app/a',
      Source: 'c, h',
      Message: 'it is done',
      'First Seen': '60m',
      Count: 3,
      Name: 'e1',
    })
  })

  it('shows a series by its last occurrence', () => {
    const cells = row({
      eventTime: '2026-01-01T00:00:00.000000Z',
      series: { count: 7, lastObservedTime: '2026-01-01T00:59:30.000000Z' },
      reportingComponent: 'r',
    })
    expect(cells).toMatchObject({ 'Last Seen': '30s', 'First Seen': '60m', Count: 7, Source: 'r' })
  })

  it('shows an event without times as of unknown age', () => {
    expect(row({})).toMatchObject({ 'Last Seen': '<unknown>', Count: 1 })
  })

  it('is found by the object it is about', () => {
    const object = event({ reason: 'Done', type: 'Warning', source: { component: 'c' } })
    const values = ['involvedObject.name', 'reason', 'type', 'source'].map((field) => selectableFields[field]?.(object))
    expect(values).toEqual(['a', 'Done', 'Warning', 'c'])
  })
})
