import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { jobProblems, jobScript } from './job-script.ts'
import { pbs } from './pbs.ts'
import { slurm } from './slurm.ts'

const files = { script: '/f/script', output: '/f/output', exitCode: '/f/exit-code' }
const whole = {
  name: 'fold',
  script: 'mpirun fold',
  partition: 'gpu',
  account: 'proteins',
  nodes: 8,
  tasks: 32,
  cpusPerTask: 8,
  gpusPerNode: 4,
  memory: '256G',
  time: '24:00:00',
  modules: ['cuda/12'],
  environment: { OUT: "/it's" },
  dependencies: { afterok: ['12', '13'] },
}

it('a job is written in the directives of Slurm', () => {
  expect(slurm.directives(whole, files)).toEqual([
    '#SBATCH --job-name=fold',
    '#SBATCH --output=/f/output',
    '#SBATCH --open-mode=append',
    '#SBATCH --no-requeue',
    '#SBATCH --partition=gpu',
    '#SBATCH --account=proteins',
    '#SBATCH --nodes=8',
    '#SBATCH --ntasks=32',
    '#SBATCH --cpus-per-task=8',
    '#SBATCH --gpus-per-node=4',
    '#SBATCH --mem=256G',
    '#SBATCH --time=24:00:00',
    '#SBATCH --dependency=afterok:12:13',
  ])
})

it('a job is written in the directives of PBS', () => {
  expect(pbs.directives(whole, files).slice(4)).toEqual([
    '#PBS -q gpu',
    '#PBS -A proteins',
    '#PBS -l select=8:ncpus=32:mpiprocs=4:ngpus=4:mem=256Gb',
    '#PBS -l walltime=24:00:00',
    '#PBS -W depend=afterok:12:13',
  ])
})

describe('the script', () => {
  it('runs the job with its environment as it is, and writes the exit code', () => {
    const folder = mkdtempSync(join(tmpdir(), "it's a job "))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const own = { script: join(folder, 'script'), output: '', exitCode: join(folder, 'exit-code') }
    const environment = { A: `$(touch ${folder}/hacked) \`id\` "x" 'y'\n#SBATCH --nodes=99` }
    writeFileSync(own.script, '#!/bin/sh\nprintf %s "$A"; exit 7\n', { mode: 0o700 })
    const text = jobScript(slurm, { name: 'a', script: '', environment }, own)
    const ran = () => execFileSync('/bin/sh', ['-c', text], { encoding: 'utf8' })
    expect(ran).toThrow(expect.objectContaining({ status: 7, stdout: environment.A }))
    expect(readFileSync(own.exitCode, 'utf8')).toBe('7\n')
  })
})

it.each([
  [{ partition: 'a\n#SBATCH --uid=0' }, 'partition'],
  [{ account: '$(id)' }, 'account'],
  [{ memory: '1G --wrap=x' }, 'memory'],
  [{ nodes: 0 }, 'nodes'],
  [{ tasks: 1.5 }, 'tasks'],
  [{ modules: ['a;b'] }, 'modules'],
  [{ environment: { 'A=1;B': '' } }, 'environment'],
  [{ dependencies: { afterok: ['1:2,after 3'] } }, 'dependencies'],
  [{ dependencies: { singleton: [] } }, 'dependencies'],
  [{ name: '../x' }, 'name'],
  [{ script: ' ' }, 'script'],
])('%j is refused, naming the field', (wrong, field) => {
  expect(jobProblems({ name: 'a', script: 'true', ...wrong })).toEqual([expect.stringMatching(`^${field}: `)])
})

it.each([
  ['JobState=PENDING Reason=Resources ', { phase: 'Pending', reason: 'Resources' }],
  ['JobState=RUNNING Reason=None ', { phase: 'Running' }],
  ['JobState=COMPLETED Reason=None ', { phase: 'Succeeded' }],
  ['JobState=TIMEOUT Reason=TimeLimit ', { phase: 'Failed', reason: 'TIMEOUT' }],
  ['JobState=CANCELLED Reason=None ', { phase: 'Cancelled' }],
  ['', undefined],
])('Slurm says %j', (output, report) => expect(slurm.report(output)).toEqual(report))

it.each([
  ['    job_state = Q\n    comment = Not Running: no room\n', { phase: 'Pending', reason: 'Not Running: no room' }],
  ['    job_state = R\n', { phase: 'Running' }],
  ['    job_state = F\n    Exit_status = 0\n', { phase: 'Succeeded' }],
  ['    job_state = F\n    Exit_status = 2\n', { phase: 'Failed', reason: 'exit status 2' }],
  ['    job_state = F\n    Exit_status = 271\n', { phase: 'Cancelled' }],
])('PBS says %j', (output, report) => expect(pbs.report(output)).toEqual(report))
