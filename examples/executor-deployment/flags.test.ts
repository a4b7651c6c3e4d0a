import { describe, expect, it } from 'vitest'
import { parseFlags } from './flags.ts'
import { readSettings } from './settings.ts'

describe('the command line', () => {
  it('is read in the spelling of Go', () => {
    expect(parseFlags(['-mode', 'submit', '--resource=my.json'])).toMatchObject({ mode: 'submit', resource: 'my.json' })
    expect(parseFlags(['-mode=register-crd'])).toMatchObject({ crd: 'executor-deployment-definition.json' })
    expect(parseFlags(['-mode', 'controller', '-allow-commands'])).toMatchObject({ allowCommands: true })
    const placed = ['-mode', 'controller', '-location', 'edge', '-runtimes', 'docker,local,docker']
    expect(parseFlags(placed)).toMatchObject({ location: 'edge', runtimes: ['docker', 'local'] })
    expect(parseFlags(['-h']).help).toBe(true)
  })

  it.each([
    [[], '-mode : say one of register-crd, controller, submit'],
    [['-mode', 'demo'], '-mode demo: say one of register-crd, controller, submit'],
    [['-mode', 'submit', '-resource'], '-resource needs a value'],
    [
      ['-mode', 'controller', '-runtimes', 'docker,lambda'],
      '-runtimes docker,lambda: a list of local, docker, kubernetes',
    ],
    [['-mode', 'controller', '-location', ''], '-location needs a value'],
    [['-x'], 'unknown argument -x'],
  ])('%j is refused: %s', (args, message) => {
    expect(() => parseFlags(args)).toThrow(message)
  })

  it.each<[Record<string, string>, string]>([
    [{}, 'http://127.0.0.1:3000'],
    [
      { COLONIES_SERVER_HOST: 'localhost', COLONIES_SERVER_PORT: '50080', COLONIES_INSECURE: 'true' },
      'http://localhost:50080',
    ],
    [{ COLONIES_SERVER_HOST: '::1', COLONIES_INSECURE: 'false' }, 'https://[::1]:3000'],
  ])('%j leads to %s', (env, server) => {
    expect(readSettings(env).server).toBe(server)
  })

  it('says which colony is meant, and whether anybody said so', () => {
    expect(readSettings({})).toMatchObject({ colony: 'dev', isColonyGiven: false })
    expect(readSettings({ COLONIES_COLONY_NAME: 'lab' })).toMatchObject({ colony: 'lab', isColonyGiven: true })
    expect(() => readSettings({ COLONIES_SERVER_PORT: 'x' })).toThrow('COLONIES_SERVER_PORT=x is no port')
  })
})
