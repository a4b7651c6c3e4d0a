import { expect, test } from 'vitest'
import { releaseChangelog } from './changelog.ts'

const before = '# Changelog\n\n## Unreleased\n\n### Added\n- A thing.\n\n## 0.1.0 (2026-01-01)\n\n- The first.\n'

test('what is unreleased becomes the part of the version', () => {
  const { text, section } = releaseChangelog(before, '0.2.0', '2026-02-03')
  expect(section).toBe('## 0.2.0 (2026-02-03)\n\n### Added\n- A thing.\n')
  expect(text).toBe(`# Changelog\n\n## Unreleased\n\n${section}\n## 0.1.0 (2026-01-01)\n\n- The first.\n`)
  expect(releaseChangelog('## Unreleased\n- A.\n', '0.1.0', '2026-02-03').section).toContain('- A.')
})

test('nothing to release, or a version that is out, is refused', () => {
  const { text } = releaseChangelog(before, '0.2.0', '2026-02-03')
  expect(() => releaseChangelog(text, '0.3.0', '2026-02-04')).toThrow(/says nothing/)
  expect(() => releaseChangelog(before, '0.1.0', '2026-02-04')).toThrow(/has a part for 0\.1\.0 already/)
  expect(() => releaseChangelog('', '0.1.0', '2026-02-04')).toThrow(/has no part/)
})
