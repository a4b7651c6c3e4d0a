// What docs/deploy.md has people install: the compose file is for this version's image, its commands are ones that the command
// takes, and units and documents say the same.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { fakeTerminal, runOn } from '../src/terminal.fixture.ts'

const root = join(import.meta.dirname, '../../..')
const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8')) as { version: string }

interface Service extends Record<string, unknown> {
  readonly image: string
  readonly command: string[]
  readonly volumes: string[]
  readonly healthcheck: { readonly test: string[] }
}

interface Compose {
  readonly name?: string
  readonly services: Record<string, Service>
  readonly volumes: object
}

const read = (path: string) => parse(readFileSync(join(root, path), 'utf8')) as Compose
const { name, services, volumes } = read('deploy/compose.yaml')
const { homeostat } = services
const example = read('examples/executor-deployment/docker-compose.yml').services['colonies-server']

async function printed(...args: string[]): Promise<string> {
  const { code, out, error } = await runOn(fakeTerminal(), args)
  expect([code, error]).toEqual([0, ''])
  return out
}

test('the compose file starts the image of this version, with options that it has', async () => {
  expect(homeostat?.image).toBe(`homeostat:${version}`)
  const options = homeostat?.command.map((word) => word.replace(/\$\{\w+:-(.*)\}/, '$1')) ?? []
  const config = parse(await printed(...options, '--print-config'))
  expect(config).toMatchObject({ host: '0.0.0.0', 'tls-san': ['localhost'], runtime: ['none'], 'log-format': 'json' })
  expect(homeostat).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
  expect(homeostat?.volumes).toEqual(Object.keys(volumes).map((name) => `${name}:/data`))
})

test('its volume has a name that no other folder `deploy` gives, and the page says it', () => {
  expect([name, Object.keys(volumes)]).toEqual(['homeostat', ['data']])
  expect(readFileSync(join(root, 'docs/deploy.md'), 'utf8')).toContain(`\`${name}_data\``)
})

test.each([
  ['deploy', homeostat],
  ['the example', example],
])('the health of the server of %s is asked with the programs of the image', async (_, service) => {
  const image = readFileSync(join(root, 'scripts/image.ts'), 'utf8')
  const [kind, ...program] = service?.healthcheck.test ?? []
  expect([kind, program[0], program[1]]).toEqual([
    'CMD',
    ...(/Entrypoint: \['(.*)', '(.*)'\]/.exec(image) ?? []).slice(1),
  ])
  expect(await printed('get', '--help')).toContain('Usage: homeostat get')
  expect(program.slice(2)).toEqual(['get', 'namespace', 'default', '-o', 'name'])
})

test('units run the program where the page installs it, with verbs that there are', async () => {
  const page = readFileSync(join(root, 'docs/deploy.md'), 'utf8')
  for (const file of readdirSync(join(root, 'deploy')).filter((name) => name.endsWith('.service'))) {
    const unit = readFileSync(join(root, 'deploy', file), 'utf8')
    const [, program = '', verb = ''] = /node (\/opt\/\S+\.js) (\w+)/.exec(unit) ?? []
    expect(page).toContain(program)
    expect(await printed(verb, '--help')).toContain(`Usage: homeostat ${verb}`)
    expect(page).toContain(`deploy/${file}`)
  }
})
