// The simulated driver: the suite of all drivers, and what only it does.

import { describe, expect, it } from 'vitest'
import { SimulatedRuntime } from '../src/index.ts'
import { parseDirective } from '../src/simulated/directive.ts'
import { driverSuite, named, printed } from './driver-suite.ts'

describe('the simulated driver', () => {
  const told = (directive: string) => ({ env: { HOMEOSTAT_SIMULATE: directive } })
  driverSuite({
    open: async () => new SimulatedRuntime({ startDelayMs: 1 }),
    cleanUp: async () => {},
    units: {
      stays: () => ({ image: 'web:1' }),
      exits: (code) => told(`exit:${code}:5`),
      stubborn: () => told('stubborn'),
      impossible: () => told('fail:no such image'),
    },
    survivors: false,
  })

  it('says in the log that nothing really runs, and for what it stands', async () => {
    const runtime = new SimulatedRuntime()
    const id = await runtime.start(
      named('web', { image: 'nginx:1.29', command: ['nginx', '-g'], args: ['daemon off;'] }),
    )
    expect(await printed(runtime, id)).toBe(
      'simulated: nothing really runs here; this stands for: nginx:1.29 nginx -g daemon off;\n',
    )
    await runtime.close()
  })

  it('refuses more units than it may have', async () => {
    const runtime = new SimulatedRuntime({ maxUnits: 1 })
    await runtime.start(named('a', {}))
    await expect(runtime.start(named('b', {}))).rejects.toThrow('has 1 units already')
    await runtime.close()
  })
})

describe('a directive', () => {
  it.each([
    [undefined, { act: 'run' }],
    ['', { act: 'run' }],
    ['exit:0', { act: 'exit', code: 0, afterMs: 0 }],
    ['exit:255:1500', { act: 'exit', code: 255, afterMs: 1500 }],
    ['fail', { act: 'fail', message: 'told to fail' }],
    ['fail:no: such image', { act: 'fail', message: 'no: such image' }],
    ['stubborn', { act: 'stubborn' }],
  ])('%s is understood', (text, expected) => {
    expect(parseDirective(text)).toEqual(expected)
  })

  it.each(['exit', 'exit:256', 'exit:-1', 'crash'])('%s is refused with what would be right', (text) => {
    expect(() => parseDirective(text)).toThrow('use exit:CODE')
  })
})
