// Checks names such as `example.com/controller`: a domain, and a path that its owner chooses.

import { type Cause, invalidValue, required } from '@homeostat/meta/server'
import { dnsSubdomain } from './field-checks.ts'

export function domainPath(path: string, value: string): Cause[] {
  if (value === '') return [required(path)]
  const slash = value.indexOf('/')
  const [host, rest] = [value.slice(0, slash), value.slice(slash + 1)]
  if (slash <= 0 || rest === '') {
    return [invalidValue(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")')]
  }
  const causes = dnsSubdomain(path, host)
  return /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(rest) ? causes : [...causes, invalidValue(path, rest, 'Invalid path')]
}
