import { describe, expect, it } from 'vitest'
import { CLEANUP_FINALIZER, type Definition } from '../builtin/definition/definition.ts'
import { sampleDefinition } from '../builtin/definition/sample-definition.ts'
import { takenNames } from './definition-names.ts'
import { planDefinition, releasedDefinition, servingStatus, terminatingStatus } from './definition-plan.ts'

const now = Date.parse('2026-01-01T00:00:00Z')
const nobody = takenNames([])
const everybody = takenNames([{ plural: 'others', kind: 'App' }])

function conditions(status: Definition['status']): string[] {
  return (status.conditions ?? []).map(({ type, status, reason }) => `${type} ${status} ${reason}`)
}

function after(definition: Definition, taken = nobody): Definition {
  return { ...definition, status: servingStatus(definition, taken, now) }
}

describe('the status of a definition', () => {
  it('accepts the names and establishes it', () => {
    const { status } = after(sampleDefinition())
    expect(conditions(status)).toEqual(['NamesAccepted True NoConflicts', 'Established True InitialNamesAccepted'])
    expect(status.acceptedNames).toEqual({ plural: 'apps', singular: 'app', kind: 'App', listKind: 'AppList' })
    expect(status.storedVersions).toEqual(['v1'])
  })

  it('is the same value when there is nothing to say', () => {
    const settled = after(sampleDefinition())
    expect(servingStatus(settled, nobody, now + 60_000)).toBe(settled.status)
  })

  it('is the same value after a trip through JSON in another order', () => {
    const settled = after(sampleDefinition())
    const { plural, ...names } = settled.status.acceptedNames
    const read = { ...settled, status: { ...settled.status, acceptedNames: { ...names, plural } } }
    expect(servingStatus(read, nobody, now)).toBe(read.status)
  })

  it('does not establish it while a name is taken, and does once it is free', () => {
    const waiting = after(sampleDefinition(), everybody)
    expect(conditions(waiting.status)).toEqual(['NamesAccepted False KindConflict', 'Established False NotAccepted'])
    expect(conditions(after(waiting).status)).toEqual([
      'NamesAccepted True NoConflicts',
      'Established True InitialNamesAccepted',
    ])
  })

  it('does not establish it while no connection could trust the authority of its conversion webhook', () => {
    const { spec, ...rest } = sampleDefinition()
    const caBundle = Buffer.from('no certificate').toString('base64')
    const clientConfig = { caBundle, url: 'https://hooks.example.com/' }
    const conversion: NonNullable<Definition['spec']['conversion']> = {
      strategy: 'Webhook',
      webhook: { clientConfig, conversionReviewVersions: ['v1'] },
    }
    const refused = after({ ...rest, spec: { ...spec, conversion } })
    expect(conditions(refused.status)).toEqual(['NamesAccepted True NoConflicts', 'Established False InvalidCABundle'])
    expect(conditions(after({ ...refused, spec }).status)).toContain('Established True InitialNamesAccepted')
  })

  it('stays established when a later name is taken', () => {
    const settled = after(sampleDefinition())
    const renamed = { ...settled, spec: { ...settled.spec, names: { ...settled.spec.names, listKind: 'App' } } }
    const { status } = after(renamed, everybody)
    expect(conditions(status)).toEqual([
      'NamesAccepted False ListKindConflict',
      'Established True InitialNamesAccepted',
    ])
    expect(status.acceptedNames.listKind).toBe('AppList')
  })

  it.each([
    ['https://example.com/pull/1', 'True ApprovedAnnotation'],
    ['unapproved, for tests', 'False UnapprovedAnnotation'],
    ['', 'False MissingAnnotation'],
    ['sure', 'False InvalidAnnotation'],
  ])('reports the approval "%s" of a protected group', (approval, condition) => {
    const annotations = { 'api-approved.kubernetes.io': approval }
    const { status } = after(sampleDefinition({ group: 'x.k8s.io' }, { annotations }))
    expect(conditions(status)).toContain(`KubernetesAPIApprovalPolicyConformant ${condition}`)
  })
})

describe('the end of a definition', () => {
  const deletionTimestamp = '2026-01-01T00:00:00Z'

  it.each([
    [{}, 'serve'],
    [{ finalizers: [CLEANUP_FINALIZER] }, 'serve'],
    [{ deletionTimestamp, finalizers: [CLEANUP_FINALIZER, 'x/y'] }, 'empty'],
    [{ deletionTimestamp, finalizers: ['x/y'] }, 'wait'],
  ])('with metadata %o is to %s', (metadata, action) => {
    expect(planDefinition(sampleDefinition({}, metadata))).toBe(action)
  })

  it('is reported in conditions, each once', () => {
    const definition = sampleDefinition({}, { deletionTimestamp })
    const emptying = { ...definition, status: terminatingStatus(definition, 'empty', now) }
    expect(conditions(emptying.status)).toEqual(['Terminating True InstanceDeletionInProgress'])
    expect(terminatingStatus(emptying, 'empty', now + 1000)).toBe(emptying.status)
    expect(conditions(terminatingStatus(emptying, 'wait', now))).toEqual([
      'Terminating False InstanceDeletionCompleted',
    ])
  })

  it('comes when our finalizer goes; others stay', () => {
    const held = sampleDefinition({}, { finalizers: ['x/y', CLEANUP_FINALIZER] })
    expect(releasedDefinition(held).metadata.finalizers).toEqual(['x/y'])
    expect(held.metadata.finalizers).toHaveLength(2)
  })
})
