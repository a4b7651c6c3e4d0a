// Names operations and tags as Kubernetes does: `listFactsExampleComV1NamespacedGadget`, `factsExampleCom_v1`.
// Client generators derive method names from them.

export function operationId(group: string, version: string, verb: string, rest: string): string {
  return verb + words(groupWord(group), true) + words(version, true) + words(rest, true)
}

export function tag(group: string, version: string): string {
  return `${words(groupWord(group), false)}_${words(version, false)}`
}

function groupWord(group: string): string {
  return group === '' ? 'core' : group.replace(/\.k8s\.io$/, '')
}

/** Joins words in camel case; any character but a letter, digit or underscore separates words. */
function words(text: string, capitalFirst: boolean): string {
  const parts = text.split(/[^A-Za-z0-9_]+/).filter((part) => part !== '')
  return parts.map((part, index) => (index > 0 || capitalFirst ? capital(part) : part)).join('')
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
