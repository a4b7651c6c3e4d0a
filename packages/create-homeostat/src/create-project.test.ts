import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { createProject } from './create-project.ts'
import type { Questions } from './questions.ts'

/** Takes what is proposed, except for these answers, and keeps the questions. */
function person(answers: Readonly<Record<string, string>> = {}) {
  const asked: string[] = []
  const answer = <T extends string>(question: string, initial: T) => {
    asked.push(question)
    return Promise.resolve((answers[question] ?? initial) as T)
  }
  const questions: Questions = { text: answer, choose: (question, _choices, initial) => answer(question, initial) }
  return { asked, questions: async () => questions }
}

async function create(
  words: readonly string[],
  questions: () => Promise<Questions | undefined> = async () => undefined,
) {
  let shown = ''
  const out = (text: string) => {
    shown += text
  }
  return { code: await createProject(words, { command: 'create', out, questions }), shown }
}

function filesIn(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name))
  return new Map(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]))
}

const given = ['--kind', 'HTTPRoute', '--group', 'ex.io', '--no-install']

describe('createProject', () => {
  it.each(['functional', 'class', 'executor'])(
    'writes the template %s with the names that were given',
    async (template) => {
      const folder = join(temporaryFolder(), 'deep', 'shop')
      const { code, shown } = await create([folder, ...given, '--template', template])
      expect(code).toBe(0)
      expect(shown).toMatch(
        /^ {2}cd \S+shop\n {2}npm install\n {2}npm run dev .*\n {2}npx homeostat get httproute -w /m,
      )
      const files = filesIn(folder)
      expect([...files.keys()].sort()).toEqual([
        '.dockerignore',
        '.gitignore',
        'Dockerfile',
        'README.md',
        'biome.json',
        'examples/http-route.yaml',
        'package.json',
        'src/http-route.test.ts',
        'src/http-route.ts',
        'src/main.ts',
        'tsconfig.json',
      ])
      expect(
        [...files].filter(([, text]) => /website|web-site|example\.com|my-operator|0\.0\.0-own/i.test(text)),
      ).toEqual([])
      expect(files.get('src/main.ts')).toContain("import { httpRouteOperator } from './http-route.ts'")
      expect(files.get('examples/http-route.yaml')).toMatch(/^apiVersion: ex\.io\/v1\nkind: HTTPRoute\n/)
      const { name, dependencies, devDependencies } = JSON.parse(files.get('package.json') ?? '')
      expect(name).toBe('shop')
      const own = { ...dependencies, ...devDependencies }
      for (const one of ['@homeostat/operator', '@homeostat/testing', 'homeostat'])
        expect(own[one]).toBe(`^${manifest.version}`)
    },
  )

  it('writes into an empty folder, also the one of a new repository, and replaces nothing', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, '.git'))
    await create([folder, ...given, '--name', 'shop'])
    const files = filesIn(folder)
    expect(files.size).toBe(11)
    await expect(create([folder, ...given, '--name', 'other'])).rejects.toThrow(
      /homeostat-test-\S+ has \S+ in it; name a folder that is new or empty$/,
    )
    expect(filesIn(folder)).toEqual(files)
  })

  it('refuses a file, and a folder whose name cannot be that of a project', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'file'), '')
    await expect(create([join(folder, 'file')])).rejects.toThrow(/file is a file; name a folder that is new or empty$/)
    await expect(create([join(folder, 'My Shop')])).rejects.toThrow(
      /^"My Shop" cannot be the name of a project: a name has .*; --name gives it another$/,
    )
    await expect(create([''])).rejects.toThrow('the folder has no name; . is the one you are in')
    await create([join(folder, 'My Shop'), '--name', 'shop', '--no-install'])
    expect(readdirSync(folder)).toEqual(['My Shop', 'file'])
  })

  it('asks for what is missing, and only for that', async () => {
    const folder = join(temporaryFolder(), 'shop')
    const { asked, questions } = person({ 'In which folder?': folder, 'Which style?': 'class' })
    await create(['--kind', 'Site', '--no-install'], questions)
    expect(asked).toEqual(['In which folder?', 'Which style?', 'In which API group, a domain of yours?'])
    expect(readFileSync(join(folder, 'src/site.ts'), 'utf8')).toContain('class SiteInstance extends CustomResource')
  })

  it('asks nothing with --yes, or where nobody is', async () => {
    const { asked, questions } = person()
    const folder = temporaryFolder()
    await create([join(folder, 'a'), '--yes', '--no-install'], questions)
    await create([join(folder, 'b'), '--no-install'])
    expect(asked).toEqual([])
    const [a, b] = ['a', 'b'].map((name) => filesIn(join(folder, name)).get('src/website.ts'))
    expect(a).toBe(b)
    await expect(create(['--no-install'])).rejects.toThrow('name the folder of the project, e.g. my-operator, or . for')
    await expect(create(['--yes'], questions)).rejects.toThrow('name the folder of the project')
  })

  it('leaves files to the rights that the user gives to files', async () => {
    const folder = join(temporaryFolder(), 'shop')
    await create([folder, ...given])
    expect(statSync(join(folder, 'src/main.ts')).mode & 0o777).toBe(0o666 & ~process.umask())
  })
})

describe('the templates', () => {
  const root = join(import.meta.dirname, '../../..')
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const template = (path: string) => read(`packages/create-homeostat/templates/${path}`)

  it('name the versions that this repository is tested with', () => {
    const { devDependencies: ours } = JSON.parse(read('package.json'))
    const { dependencies, devDependencies } = JSON.parse(template('shared/_package.json'))
    for (const [name, version] of Object.entries<string>({ ...dependencies, ...devDependencies }))
      if (!/homeostat/.test(name)) expect([name, version.replace('^', '')]).toEqual([name, ours[name]])
  })

  it('of both styles pass the same test and are started by the same program', () => {
    for (const file of ['src/main.ts', 'src/web-site.test.ts'])
      expect(template(`class/${file}`)).toBe(template(`functional/${file}`))
  })
})
