import { describe, expect, it } from 'vitest'
import type { UnitState } from '../runtime.ts'
import { containerSpec } from './container-spec.ts'
import { type Container, removedState, stateOf, stateOfEnd } from './container-state.ts'

const { Labels } = containerSpec({ name: 'web', labels: { app: 'x' }, image: 'web:1' }, 'home', 1000)
const NEVER = '0001-01-01T00:00:00Z'
const START = '2026-11-16T05:43:14.365875053Z'
const END = '2026-11-16T05:43:15.5Z'
const startedAt = Date.parse('2026-11-16T05:43:14.365Z')
const finishedAt = Date.parse('2026-11-16T05:43:15.500Z')

const container = (State: Partial<Container['State']>, more: Partial<Container> = {}): Container => ({
  Id: 'abc',
  Config: { Labels },
  State: { Status: 'running', StartedAt: START, FinishedAt: NEVER, ExitCode: 0, Error: '', ...State },
  NetworkSettings: { IPAddress: '172.17.0.2' },
  ...more,
})
const exited = (State: Partial<Container['State']>) => container({ Status: 'exited', FinishedAt: END, ...State })

describe('the state of a unit', () => {
  it.each<[string, Container, Partial<UnitState>]>([
    ['made', container({ Status: 'created', StartedAt: NEVER }), { phase: 'starting' }],
    ['running', container({}), { phase: 'running', startedAt, address: '172.17.0.2' }],
    [
      'running on the machine’s network',
      container({}, { HostConfig: { NetworkMode: 'host' }, NetworkSettings: { IPAddress: '' } }),
      { phase: 'running', startedAt },
    ],
    [
      'running on a network with a name',
      container({}, { NetworkSettings: { IPAddress: '', Networks: { mine: { IPAddress: '10.1.0.5' } } } }),
      { phase: 'running', startedAt, address: '10.1.0.5' },
    ],
    [
      'running without a network',
      container({}, { NetworkSettings: { IPAddress: '', Networks: null } }),
      { phase: 'running', startedAt, address: '' },
    ],
    [
      'paused',
      container({ Status: 'paused', Paused: true }),
      {
        phase: 'running',
        startedAt,
        address: '172.17.0.2',
        reason: 'Paused',
        message: 'somebody has paused the container',
      },
    ],
    ['done', exited({}), { phase: 'exited', startedAt, finishedAt, exitCode: 0, reason: 'Completed' }],
    ['failed', exited({ ExitCode: 3 }), { phase: 'exited', startedAt, finishedAt, exitCode: 3, reason: 'Error' }],
    [
      'done before it seems to have started',
      exited({ FinishedAt: '2026-11-16T05:43:14.363Z' }),
      { phase: 'exited', startedAt, finishedAt: startedAt, exitCode: 0, reason: 'Completed' },
    ],
    [
      'out of memory',
      exited({ ExitCode: 137, OOMKilled: true }),
      { phase: 'exited', startedAt, finishedAt, exitCode: 137, reason: 'OOMKilled' },
    ],
    [
      'never started',
      exited({ ExitCode: 127, StartedAt: NEVER, FinishedAt: NEVER, Error: 'no such file' }),
      { phase: 'exited', exitCode: 127, reason: 'StartError', message: 'no such file' },
    ],
    [
      'on its way out',
      container({ Status: 'removing', FinishedAt: END, ExitCode: 143 }),
      { phase: 'exited', startedAt, finishedAt, exitCode: 143, reason: 'Error' },
    ],
  ])('whose container is %s', (_, from, expected) => {
    expect(stateOf(from, 'home')).toEqual({ id: 'abc', name: 'web', labels: { app: 'x' }, ...expected })
  })

  it('is none for containers of others', () => {
    expect(stateOf(container({}), 'another')).toBeUndefined()
    expect(stateOf(container({}, { Config: { Labels: null } }), 'home')).toBeUndefined()
  })
})

describe('a container that is gone', () => {
  it('has in its last event how it ended', () => {
    const event = {
      Action: 'die',
      Actor: { ID: 'abc', Attributes: { ...Labels, exitCode: '3', image: 'web:1', name: 'home.web' } },
      timeNano: finishedAt * 1e6,
    }
    const end = { id: 'abc', name: 'web', labels: { app: 'x' }, phase: 'exited', exitCode: 3, finishedAt }
    expect(stateOfEnd(event, 'home')).toEqual({ ...end, reason: 'Error' })
    expect(stateOfEnd(event, 'another')).toBeUndefined()
    expect(stateOfEnd({}, 'home')).toBeUndefined()
  })

  it('was removed by somebody else if nothing more is known', () => {
    const last: UnitState = { id: 'abc', name: 'web', labels: {}, phase: 'running', startedAt }
    expect(removedState(last, finishedAt)).toMatchObject({
      phase: 'exited',
      startedAt,
      finishedAt,
      exitCode: 137,
      reason: 'Removed',
    })
  })
})
