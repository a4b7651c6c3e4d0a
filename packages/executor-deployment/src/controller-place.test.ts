import { dns1123Label } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { type ControllerPlace, controllerName, dutyOf } from './controller-place.ts'
import type { DeployedTo } from './deployment-status.ts'
import { RUNTIMES, type RuntimeName } from './spec/deployment-spec.ts'

const at = (location: string | undefined, ...runtimes: RuntimeName[]): ControllerPlace => ({
  location,
  runtimes: runtimes.length > 0 ? runtimes : RUNTIMES,
})

describe('a controller', () => {
  it.each<[string, ControllerPlace, DeployedTo | undefined, { runtime: RuntimeName; location?: string }, string]>([
    ['without a place does what names none', at(undefined), undefined, { runtime: 'local' }, 'deploy'],
    [
      'without a place leaves alone what names one',
      at(undefined),
      undefined,
      { runtime: 'local', location: 'edge' },
      'refuse',
    ],
    [
      'of a place does what names it, in any case',
      at('edge'),
      undefined,
      { runtime: 'local', location: 'EDGE' },
      'deploy',
    ],
    ['of a place does what names none', at('edge'), undefined, { runtime: 'local' }, 'deploy'],
    [
      'of a place leaves alone what is for another',
      at('edge'),
      undefined,
      { runtime: 'local', location: 'lab' },
      'refuse',
    ],
    ['leaves alone what it cannot run', at('edge', 'docker'), undefined, { runtime: 'local' }, 'refuse'],
    [
      'leaves alone what runs elsewhere',
      at('edge'),
      { runtime: 'local', location: 'lab' },
      { runtime: 'local', location: 'edge' },
      'refuse',
    ],
    [
      'leaves alone what another runtime has',
      at('edge', 'docker'),
      { runtime: 'local', location: 'edge' },
      { runtime: 'docker' },
      'refuse',
    ],
    [
      'without a place leaves alone what runs at one',
      at(undefined),
      { runtime: 'local', location: 'lab' },
      { runtime: 'local' },
      'refuse',
    ],
    [
      'goes on with what was deployed before it had a place',
      at('edge'),
      { runtime: 'local' },
      { runtime: 'local' },
      'deploy',
    ],
    [
      'gives up what is wanted elsewhere',
      at('edge'),
      { runtime: 'local', location: 'edge' },
      { runtime: 'local', location: 'lab' },
      'leave',
    ],
    [
      'gives up what is wanted with a runtime that it has not',
      at('edge', 'local'),
      { runtime: 'local', location: 'edge' },
      { runtime: 'docker' },
      'leave',
    ],
    [
      'moves between its own runtimes',
      at('edge'),
      { runtime: 'local', location: 'Edge' },
      { runtime: 'docker' },
      'deploy',
    ],
    [
      'refuses what is deployed with no runtime that anybody knows',
      at(undefined),
      { runtime: 'magic' },
      { runtime: 'local' },
      'refuse',
    ],
  ])('%s', (_, place, former, wanted, duty) => {
    expect(dutyOf(place, former, wanted).do).toBe(duty)
  })

  it.each([
    [at(undefined), 'c'],
    [at('Edge 7'), 'c-edge-7'],
    [at('Luleå'), 'c-lule'],
    [at(undefined, 'docker'), 'c-docker'],
    [at('edge', 'docker', 'local'), 'c-edge-docker-local'],
  ])('has a name of its place', (place, name) => {
    expect(controllerName('c', place)).toBe(name)
    expect(dns1123Label(controllerName('c', place))).toEqual([])
  })
})
