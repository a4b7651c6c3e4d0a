import { expect, test } from 'vitest'
import { startProblem } from './start-problem.ts'

test.each([
  [
    'invalid mount config for type "bind": bind source path does not exist: /no/where',
    'cannot mount /no/where: there is no such file or folder on the machine of Docker; make it first',
  ],
  ['No command specified', 'image web:1 does not say what to run: give the container a command'],
  ['no command specified', 'image web:1 does not say what to run: give the container a command'],
  ['No such image: web:1', 'image web:1 is not on this machine any more: try again'],
  [
    'failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: ' +
      'exec: "/no/such": stat /no/such: no such file or directory: unknown',
    'cannot start /no/such in image web:1: stat /no/such: no such file or directory',
  ],
  [
    'OCI runtime create failed: container_linux.go:380: starting container process caused: exec: "run": executable file ' +
      'not found in $PATH: unknown',
    'cannot start run in image web:1: executable file not found in $PATH',
  ],
  ['no space left on device', 'Docker cannot start a container of image web:1: no space left on device'],
])('%s', (message, expected) => {
  expect(startProblem('web:1', message)).toBe(expected)
})
