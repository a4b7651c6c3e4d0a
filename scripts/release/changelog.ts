// The changelog's part in a release: what is under "Unreleased" becomes the section of the version, and an empty part is ready for
// what comes next. Pure.

const UNRELEASED = '## Unreleased\n'

/** Throws when there is nothing to release. `date` is written as 2026-01-31. */
export function releaseChangelog(text: string, version: string, date: string): { text: string; section: string } {
  const [before, rest] = text.split(UNRELEASED)
  if (before === undefined || rest === undefined) throw new Error('CHANGELOG.md has no part "## Unreleased"')
  const end = rest.search(/^## /m)
  const changes = (end < 0 ? rest : rest.slice(0, end)).trim()
  if (changes === '') throw new Error('CHANGELOG.md says nothing under "## Unreleased"')
  if (rest.includes(`## ${version} `)) throw new Error(`CHANGELOG.md has a part for ${version} already`)
  const section = `## ${version} (${date})\n\n${changes}\n`
  const older = end < 0 ? '' : `\n${rest.slice(end)}`
  return { text: `${before}${UNRELEASED}\n${section}${older}`, section }
}
