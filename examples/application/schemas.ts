// The schemas of an Application: what a user writes in the spec, and what the operator reports in the status.

import type { Context } from '@homeostat/operator'
import { z } from 'zod'

export const spec = z
  .object({
    replicas: z
      .int32()
      .min(0)
      .max(1000)
      .default(1)
      .describe('How many copies.')
      .meta({ scale: 'specReplicas', column: { name: 'Replicas' } }),
    image: z.string().min(1).describe('The container image.'),
    command: z.array(z.string()).optional().describe("What to run instead of the image's own program."),
    strategy: z
      .enum(['RollingUpdate', 'Recreate'])
      .default('RollingUpdate')
      .describe('How copies are replaced when the image changes.'),
    config: z.record(z.string(), z.string()).optional().describe('Settings for the program: its environment.'),
    runOnce: z.boolean().default(false).describe('The program ends by itself, and is not started again.'),
    runtimeClassName: z.string().optional().describe("What runs it; the server's default when left out."),
  })
  .describe('What should run.')

export const status = z.object({
  replicas: z.int32().min(0).optional().meta({ scale: 'statusReplicas' }),
  readyReplicas: z
    .int32()
    .min(0)
    .optional()
    .describe('How many are ready.')
    .meta({ column: { name: 'Ready' } }),
  phase: z
    .enum(['Pending', 'Running', 'Failed', 'Succeeded'])
    .optional()
    .meta({ column: { name: 'Phase' } }),
})

export type ApplicationContext = Context<typeof spec, typeof status, 'Namespaced'>
export type ApplicationStatus = z.input<typeof status>
