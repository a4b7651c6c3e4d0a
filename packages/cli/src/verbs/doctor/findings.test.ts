import type { ApiObject } from '@homeostat/client'
import type { Executor, Process } from '@homeostat/executor/protocol'
import { describe, expect, it } from 'vitest'
import { type Definition, definedKind } from '../../access/definitions.ts'
import {
  certificateFindings,
  definitionFindings,
  executorFindings,
  finalizerFindings,
  functionFindings,
  handlerFindings,
  healthFindings,
} from './findings.ts'

const NOW = Date.parse('2026-01-31T10:00:00Z')
const shown = (findings: readonly { level: string; text: string }[]) =>
  findings.map(({ level, text }) => `${level} ${text}`)

const definition = (handler?: object, conditions: object[] = [{ type: 'Established', status: 'True' }]) =>
  ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'lamps.a.io', annotations: handler && { 'colonies.io/handler': JSON.stringify(handler) } },
    spec: {
      group: 'a.io',
      scope: 'Namespaced',
      names: { kind: 'Lamp', plural: 'lamps' },
      versions: [{ name: 'v1', served: true, storage: true }],
    },
    status: { conditions },
  }) as unknown as Definition
const handled = definedKind(definition({ executorType: 'lamp', functionName: 'reconcile_lamp' }))
const executor = (name: string, type: string, phase: string, functions?: string[]) =>
  ({ metadata: { name, namespace: 'lab' }, spec: { type, functions }, status: { phase } }) as unknown as Executor
const lamp = (more: object = {}, status: object = {}) =>
  ({
    apiVersion: 'a.io/v1',
    kind: 'Lamp',
    metadata: { name: 'desk', namespace: 'lab', uid: 'u', generation: 2, ...more },
    status,
  }) as unknown as ApiObject
const process = (funcName: string, executorType: string, phase = 'Waiting', labels: object = {}) =>
  ({
    metadata: { namespace: 'lab', labels },
    spec: { funcName, conditions: { executorType } },
    status: { phase },
  }) as unknown as Process

describe('handlers', () => {
  const of = (objects: ApiObject[], executors: Executor[], processes: Process[] = []) =>
    handlerFindings([{ kind: handled, objects }], executors, processes)

  it('without an executor are errors once a resource waits', () => {
    expect(of([], [])[0]?.level).toBe('WARN')
    expect(shown(of([lamp()], [executor('e', 'lamp', 'Lost')]))).toEqual([
      'ERROR Lamp: no executor of the type lamp with the function reconcile_lamp is online in lab, and 1 resource waits; start one, such as: homeostat executor run --type lamp --module FILE -n lab',
    ])
    expect(shown(of([lamp({}, { observedGeneration: 2 })], []))[0]).toMatch(/^WARN .* is online in lab; start one/)
  })
  it('need an executor in the namespace of each resource, with the function', () => {
    const here = executor('e', 'lamp', 'Online')
    const elsewhere = ['a', 'b', 'c', 'd'].map((namespace) => lamp({ namespace }))
    expect(shown(of([lamp({ uid: 'v', namespace: 'prod' })], [here]))).toEqual([
      expect.stringMatching(/^ERROR .* is online in prod, and 1 resource waits; .* -n prod$/),
    ])
    expect(shown(of(elsewhere, [here]))[0]).toContain('in a, b, c and 1 more, and 4 resources wait')
    expect(shown(of([lamp()], [executor('e', 'lamp', 'Online', ['other'])]))[0]).toMatch(/^ERROR .* in lab, and 1/)
  })
  it('name the executor that has the function under another type', () => {
    expect(shown(of([lamp()], [executor('e', 'lamps', 'Online', ['reconcile_lamp'])]))[0]).toMatch(
      /^ERROR Lamp: its handler wants executors of the type lamp, but e, which has reconcile_lamp, is of the type lamps/,
    )
  })
  it('have forgotten resources handed to them again, but none that a Process is under way for', () => {
    const online = [executor('e', 'lamp', 'Online')]
    const [forgotten] = of([lamp({}, { observedGeneration: 1 })], online)
    expect(forgotten).toMatchObject({ level: 'WARN', fix: { kind: 'reconcile', namespace: 'lab', name: 'desk' } })
    const active = process('reconcile_lamp', 'lamp', 'Running', { 'colonies.io/resource-uid': 'u' })
    for (const findings of [of([lamp()], online, [active]), of([lamp({}, { observedGeneration: 2 })], online)])
      expect(findings.map(({ level }) => level)).toEqual(['OK'])
  })
})

describe('executors and functions', () => {
  it('a lost executor can be removed', () => {
    expect(executorFindings([executor('e', 't', 'Lost'), executor('f', 't', 'Online')])).toMatchObject([
      { level: 'WARN', fix: { kind: 'remove-executor', namespace: 'lab', name: 'e' } },
    ])
    expect(executorFindings([executor('f', 't', 'Online')])[0]?.level).toBe('OK')
  })
  it('waiting Processes whose function nobody offers are counted by function', () => {
    const executors = [executor('e', 't', 'Online', ['a']), executor('any', 'u', 'Online'), executor('l', 'v', 'Lost')]
    const waiting = [process('a', 't'), process('b', 't'), process('b', 't'), process('x', 'u'), process('x', 'v')]
    expect(shown(functionFindings([...waiting, process('z', 't', 'Running')], executors))).toEqual([
      'WARN 2 waiting: nobody offers the function b for the type t in lab; start an executor that has it',
      'WARN 1 waiting: nobody offers the function x for the type v in lab; start an executor that has it',
    ])
  })
})

describe('definitions', () => {
  it('that are not accepted, and handlers that are none, are errors', () => {
    const refused = definedKind(definition(undefined, [{ type: 'NamesAccepted', status: 'False', message: 'taken' }]))
    expect(shown(definitionFindings([refused], new Set(['lamps.a.io'])))).toEqual([
      'ERROR definition lamps.a.io: its annotation colonies.io/handler is no handler; it is ignored',
      'ERROR definition lamps.a.io: NamesAccepted is False: taken',
    ])
    expect(definitionFindings([handled], new Set(['lamps.a.io']))[0]?.level).toBe('OK')
  })
})

describe('finalizers', () => {
  const marked = (finalizers: string[], time: string, managedFields: object[] = []) =>
    lamp({ finalizers, deletionTimestamp: time, managedFields })
  const old = '2026-01-31T09:00:00Z'

  it('are stuck after a minute', () => {
    expect(finalizerFindings([marked(['x/y'], '2026-01-31T09:59:30Z')], [], NOW)[0]?.level).toBe('OK')
    expect(finalizerFindings([marked(['x/y'], old)], [], NOW)[0]?.level).toBe('WARN')
  })
  it.each([
    ['colonies.io/handler', 'an executor of the type lamp has to clean up'],
    ['foregroundDeletion', "the server's garbage collector does"],
    ['x/y', 'the manager lamp-operator put it there and has to remove it'],
    ['z/y', 'its controller has to remove it'],
  ])('%s: %s', (finalizer, who) => {
    const fields = { manager: 'lamp-operator', fieldsV1: { 'f:metadata': { 'f:finalizers': { 'v:"x/y"': {} } } } }
    expect(finalizerFindings([marked([finalizer], old, [fields])], [handled], NOW)[0]?.text).toContain(who)
  })
})

it('certificates warn a month before their end', () => {
  const days = (count: number) => ({ name: 'ca', until: NOW + count * 24 * 3600 * 1000 })
  expect(certificateFindings([days(300), days(29), days(-1)], NOW).map(({ level }) => level)).toEqual([
    'OK',
    'WARN',
    'ERROR',
  ])
})

it('the health of the server names damaged records, and how to go on', () => {
  expect(healthFindings('[+]ping ok\n[+]store ok\nreadyz check passed\n')[0]?.level).toBe('OK')
  expect(shown(healthFindings('[+]ping ok\n[!]records warns: 2 damaged\n[-]store failed: disk full\n'))).toEqual([
    'ERROR server records: 2 damaged; `homeostat check` names them, `homeostat salvage` keeps what can be read',
    'ERROR server store: disk full',
  ])
})
