import { expect, test } from 'vitest'
import { allowsList, type Rule } from './list-rules.ts'

const rule = (verbs: string[], apiGroups: string[], resources: string[], resourceNames: string[] = []): Rule => ({
  verbs,
  apiGroups,
  resources,
  resourceNames,
})
const pods = { group: '', resource: 'pods' }

test.each<[what: string, rules: Rule[] | undefined, allowed: boolean]>([
  ['nothing is known', undefined, true],
  ['there are no rules', [], false],
  ['a rule names it', [rule(['get', 'list'], [''], ['secrets', 'pods'])], true],
  ['a rule names everything', [rule(['*'], ['*'], ['*'])], true],
  ['one may get it and not list it', [rule(['get'], [''], ['pods'])], false],
  ['a rule is of another group', [rule(['list'], ['apps'], ['pods'])], false],
  ['a rule is of a part of it', [rule(['list'], [''], ['pods/log'])], false],
  ['a rule is of one object', [rule(['list'], [''], ['pods'], ['web'])], false],
  ['one of several rules names it', [rule(['list'], ['apps'], ['*']), rule(['list'], [''], ['pods'])], true],
])('a kind when %s', (_, rules, allowed) => {
  expect(allowsList(rules, pods)).toBe(allowed)
})
