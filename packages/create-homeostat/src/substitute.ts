// Puts the names of a project into a template. A template is a project itself, with a kind of two words, so that each way
// of writing it is another word: WebSite in code, webSite in names of variables, web-site in names of files, website in URLs.

import type { Project } from './project.ts'

const WORDS = /WebSite|webSite|web-site|website|example\.com|my-operator|0\.0\.0-own/g

/** `version` is the version of the packages that the project depends on. */
export function substitute(text: string, { kind, group, name }: Project, version: string): string {
  const words: Readonly<Record<string, string>> = {
    WebSite: kind,
    webSite: camelCase(kind),
    'web-site': kebabCase(kind),
    website: kind.toLowerCase(),
    'example.com': group,
    'my-operator': name,
    '0.0.0-own': version,
  }
  return text.replace(WORDS, (word) => words[word] ?? word)
}

/** httpRoute of HTTPRoute. */
function camelCase(kind: string): string {
  return kind.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+/, (start) => start.toLowerCase())
}

/** http-route of HTTPRoute. */
function kebabCase(kind: string): string {
  return kind.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-').toLowerCase()
}
