import { describe, expect, it } from 'vitest'
import { helpText, readCommandLine } from './command-line.ts'

describe('the command line', () => {
  it('reads what is given and leaves the rest open', () => {
    const all = ['shop', '-t', 'class', '--kind', 'Site', '-g', 'ex.io', '--name', 'a', '--no-install', '-y']
    expect(readCommandLine(all)).toEqual({
      folder: 'shop',
      name: 'a',
      template: 'class',
      kind: 'Site',
      group: 'ex.io',
      install: false,
      yes: true,
      help: false,
    })
    expect(readCommandLine([])).toEqual({ install: true, yes: false, help: false })
  })

  it.each([
    [['a', 'b'], 'unexpected argument "b"'],
    [['--what'], "Unknown option '--what'; --help"],
    [['--kind'], "Option '-k, --kind <value>' argument missing; --help"],
    [['--template', 'nice'], '--template "nice": the templates are functional, class, executor'],
    [['--template', 'toString'], 'the templates are'],
    [['--name', '../x'], '--name "../x": a name has at most 40 small letters'],
    [['--name', 'UPPER'], 'a name has'],
    [['--name', 'a\u001b[2J'], '--name "a\\u001b[2J": a name has'],
    [['--name', 'x'.repeat(41)], 'a name has'],
    [['--name', '-x-'], "Option '--name' argument is ambiguous"],
    [['--kind', 'site'], '--kind "site": a kind has'],
    [['--kind', "Site'; process.exit()//"], 'a kind has'],
    [['--kind', 'Größe'], 'a kind has'],
    [['--kind', 'Main'], 'src/main.ts is the program itself'],
    [['--group', 'apps'], '--group "apps": a group is a domain'],
    [['--group', 'Ex.io'], 'a group is'],
    [['--group', 'ex..io'], 'a group is'],
    [['--group', 'apps.k8s.io'], 'the groups of Kubernetes and of the colony are theirs'],
    [['--group', 'colonies.io'], 'the groups of Kubernetes and of the colony are theirs'],
  ])('%j is refused', (words, message) => {
    expect(() => readCommandLine(words)).toThrow(message)
  })

  it('explains itself under the name by which it is called', () => {
    expect(helpText('homeostat init')).toMatch(/^Usage: homeostat init \[FOLDER\] \[options\]\n/)
  })
})
