// Expressions: what a unit of their cost takes, and whole expressions against the fastest library for JavaScript. Both run in this
// process, in turns, on the same object.

import { createEnvironment, intType, listOf, mapOf, objectType, stringType } from '@homeostat/cel'
import { type Finding, reported } from '../finding.ts'
import type { Lab } from '../lab.ts'
import { alone, interleave } from '../measure.ts'
import { installIn } from '../npm-folder.ts'
import { group } from '../row.ts'

const EVALUATIONS = 20_000
const READINGS = 100
const NS_PER_UNIT = 50

const EXPRESSIONS = [
  "user.roles.exists(r, r == 'role19')",
  "user.age >= 18 && 'role3' in user.roles",
  "user.name.startsWith('al') && user.name.size() < 10",
  'user.roles.all(r, r.size() < 10)',
  "user.roles.filter(r, r != 'role3').size() == 19",
  "user.roles.map(r, r + '!').size() == 20",
  "user.meta.a == 'x' ? user.age + 1 > 30 : false",
]

/** Each on all of the texts, so that the memory of one text would not help. */
const READERS: Readonly<Record<string, readonly string[]>> = {
  'isQuantity(t)': ['500m', '1Gi', '2', '1.5', '250Mi', '100k'],
  "quantity(t).isLessThan(quantity('10Ti'))": ['500m', '1Gi', '2', '1.5', '250Mi', '100k'],
  'isIP(t)': ['10.0.0.1', '192.168.255.254', 'fe80::1', '2001:db8::8a2e:370:7334'],
  "cidr('10.0.0.0/8').containsIP(t)": ['10.0.0.1', '192.168.255.254', '10.200.3.4'],
  'isCIDR(t)': ['10.0.0.0/8', '192.168.0.0/16', 'fe80::/10', '2001:db8::/32'],
  'isURL(t)': ['https://example.com/path?x=1', 'http://a.b:8080/', '/only/a/path'],
  "url(t).getHostname() != ''": ['https://example.com/path?x=1', 'http://a.b:8080/'],
  'isSemver(t)': ['1.2.3', '0.0.1-alpha.1', '10.20.30+build.5'],
  "semver(t).isGreaterThan(semver('0.0.0'))": ['1.2.3', '0.0.1-alpha.1', '10.20.30+build.5'],
  "duration(t) < duration('100h')": ['1h', '30s', '1h30m', '1.5s', '100ms'],
  "timestamp(t) > timestamp('1970-01-01T00:00:00Z')": ['2024-01-01T00:00:00Z', '2024-02-03T10:00:00.123+02:00'],
  "'%s is %d'.format([t, 5]) != ''": ['some', 'name'],
  "t.trim() != ''": [' some', 'name '],
}

const user = {
  age: 30,
  name: 'alice',
  roles: Array.from({ length: 20 }, (_, i) => `role${i}`),
  meta: { a: 'x', b: 'y' },
}

const userType = objectType('user', {
  age: intType,
  name: stringType,
  roles: listOf(stringType),
  meta: mapOf(stringType, stringType),
})

/** Its integers are bigints; all other numbers are doubles. */
const theirUser = { ...user, age: 30n }

interface Library {
  Environment: new () => {
    registerVariable(name: string, type: string): { parse(text: string): (bindings: object) => unknown }
  }
}

export const cel = group(
  async (lab: Lab) => lab,
  [
    {
      work: 'CEL: CPU per unit of cost, seven expressions over an object',
      async measure(lab, work): Promise<Finding> {
        const units = ours().reduce((sum, program) => sum + program().cost, 0)
        const runs = ours().map((program) => () => void program())
        const ns = (await alone((value) => value, slice(runs, lab.count(EVALUATIONS)))) / units
        const text = `${ns.toFixed(1)} ns CPU`
        const bar = { result: text, bar: `<= ${NS_PER_UNIT} ns`, met: ns <= NS_PER_UNIT }
        return { work, ours: text, reference: '', oursTime: '', referenceTime: '', ...bar }
      },
    },
    {
      work: 'CEL: CPU per unit of cost, functions that read short texts, the dearest',
      async measure(lab, work): Promise<Finding> {
        const found: { readonly ns: number; readonly text: string }[] = []
        for (const [text, program] of readers()) {
          const { cost } = program()
          const ns = (await alone((value) => value, slice([() => void program()], lab.count(READINGS)))) / cost
          found.push({ ns, text })
        }
        const { ns, text } = found.reduce((most, one) => (one.ns > most.ns ? one : most))
        const ours = `${ns.toFixed(1)} ns CPU, ${text}`
        const bar = { result: ours, bar: `<= ${NS_PER_UNIT} ns`, met: ns <= NS_PER_UNIT }
        return { work, ours, reference: '', oursTime: '', referenceTime: '', ...bar }
      },
    },
    {
      work: 'CEL: seven expressions over an object, against @marcbachmann/cel-js',
      async measure(lab, work): Promise<Finding> {
        const theirs = await theirPrograms()
        if (theirs === undefined) return reported(work, '', '', 'left out: the library cannot be installed')
        const count = lab.count(EVALUATIONS)
        const runs = ours().map((program) => () => void program())
        const compared = await interleave((value) => value, slice(runs, count), slice(theirs, count))
        const times = compared.bare / compared.ours
        const [ourText, theirText] = [`${compared.ours.toFixed(0)} ns CPU`, `${compared.bare.toFixed(0)} ns CPU`]
        const bar = { result: `${times.toFixed(2)}x`, bar: '>= 1x', met: times >= 1 }
        return { work, ours: ourText, reference: theirText, oursTime: '', referenceTime: '', ...bar }
      },
    },
  ],
)

function ours() {
  const environment = createEnvironment({ variables: { user: userType } })
  return EXPRESSIONS.map((text) => {
    const { program, issues } = environment.compile(text)
    if (program === undefined) throw new Error(issues.text)
    return () => program.evaluate({ user })
  })
}

/** Each over a thousand texts. */
function readers() {
  const environment = createEnvironment({ variables: { texts: listOf(stringType) } })
  return Object.entries(READERS).map(([text, seeds]) => {
    const { program, issues } = environment.compile(`texts.all(t, ${text} || true)`)
    if (program === undefined) throw new Error(issues.text)
    const texts = Array.from({ length: 1000 }, (_, index) => seeds[index % seeds.length])
    return [text, () => program.evaluate({ texts })] as const
  })
}

async function theirPrograms(): Promise<(() => void)[] | undefined> {
  try {
    installIn(new URL('../rivals/', import.meta.url), '@marcbachmann/cel-js')
    const entry = new URL('../rivals/node_modules/@marcbachmann/cel-js/lib/index.js', import.meta.url)
    const { Environment } = (await import(entry.href)) as Library
    const environment = new Environment().registerVariable('user', 'dyn')
    return EXPRESSIONS.map((text) => environment.parse(text)).map((run) => () => void run({ user: theirUser }))
  } catch {
    return undefined
  }
}

/** CPU in ns of all expressions once. */
function slice(runs: readonly (() => void)[], count: number): () => Promise<number> {
  return async () => {
    const before = process.cpuUsage()
    for (let i = 0; i < count; i++) for (const run of runs) run()
    const { user: own, system } = process.cpuUsage(before)
    return ((own + system) * 1000) / count
  }
}
