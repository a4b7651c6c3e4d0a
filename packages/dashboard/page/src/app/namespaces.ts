// The namespaces of the address: none stands for all, several are separated by commas, which no namespace has in its name. Pure.

export function namespacesOf(ns: string | undefined): readonly (string | undefined)[] {
  const names = (ns ?? '').split(',').filter((name) => name !== '')
  return names.length === 0 ? [undefined] : [...new Set(names)]
}
