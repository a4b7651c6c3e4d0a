import { expect, onTestFinished, test, vi } from 'vitest'
import { need, needKubectls } from './tools.ts'

test('a program that is there is found by its path', () => {
  expect(need('sh').path).toMatch(/\/sh$/)
})

test('a program that is not there gives the reason', () => {
  vi.stubEnv('HOMEOSTAT_NO_SKIP', '')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(need('no-such-program').missing).toBe('no-such-program is not on the PATH')
})

test('where skipping is forbidden a missing program is an error', () => {
  vi.stubEnv('HOMEOSTAT_NO_SKIP', '1')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(() => need('no-such-program')).toThrow(/forbids skipping/)
  expect(() => {
    vi.stubEnv('PATH', '')
    needKubectls()
  }).toThrow(/kubectl is not on the PATH/)
})

test('each supported kubectl is called by its own path, oldest first', () => {
  vi.stubEnv('HOMEOSTAT_NO_SKIP', '')
  onTestFinished(() => void vi.unstubAllEnvs())
  const found = needKubectls()
  expect(found.length).toBeGreaterThan(0)
  const minors = found.filter((tool) => !tool.missing).map(({ version }) => Number(version.split('.')[1]))
  expect(minors).toEqual(minors.toSorted((a, b) => a - b))
  expect(Math.min(27, ...minors)).toBe(27)
})
