// What a project is made from, and the rules for the names in it. The rules are those of the places where a name goes: a
// project's name into package.json, an image and objects of Kubernetes, a kind into code, files and a definition.

export const TEMPLATES = {
  functional: 'an operator as one function: a spec in, children out',
  class: 'an operator as a class: an instance for each object',
  executor: 'an operator that pulls its work from a queue, from anywhere',
} as const

export type Template = keyof typeof TEMPLATES

export interface Project {
  /** Where it is written. */
  readonly folder: string
  readonly name: string
  readonly template: Template
  readonly kind: string
  readonly group: string
}

export const DEFAULTS = {
  folder: 'my-operator',
  template: 'functional',
  kind: 'Website',
  group: 'example.com',
} as const

const NAME = /^[a-z]([a-z0-9-]*[a-z0-9])?$/
const KIND = /^[A-Z][A-Za-z0-9]*$/
const GROUP = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/
/** Groups of Kubernetes, whose definitions need an approval, and of the colony. */
const RESERVED_GROUP = /(^|\.)(k8s\.io|kubernetes\.io|colonies\.io)$/

/** Each rule returns what is wrong with a value; undefined if nothing is. */
export function nameProblem(name: string): string | undefined {
  if (name.length <= 40 && NAME.test(name)) return undefined
  return 'a name has at most 40 small letters, digits and dashes, and begins with a letter, e.g. my-operator'
}

export function kindProblem(kind: string): string | undefined {
  // The entry of the project is src/main.ts.
  if (kind === 'Main') return 'src/main.ts is the program itself; choose another kind'
  if (kind.length <= 40 && KIND.test(kind)) return undefined
  return 'a kind has at most 40 letters and digits and begins with a capital letter, e.g. Website'
}

export function groupProblem(group: string): string | undefined {
  if (RESERVED_GROUP.test(group)) return 'the groups of Kubernetes and of the colony are theirs; take a domain of yours'
  if (group.length <= 100 && GROUP.test(group)) return undefined
  return 'a group is a domain of yours in small letters, with a dot, e.g. example.com'
}

export function isTemplate(template: string): template is Template {
  return Object.hasOwn(TEMPLATES, template)
}
