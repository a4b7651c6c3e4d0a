import { operator } from '@homeostat/operator'
import { z } from 'zod'

export const migration = operator('ex.io/v1/Migration', { spec: z.object({ image: z.string() }) }, async (c) => {
  const service = c.child('v1', 'Service', { spec: { selector: { app: c.name }, ports: [{ port: 80 }] } })
  const { spec } = await service.applied()
  const env = [{ name: 'ADDRESS', value: spec?.clusterIP ?? '' }]
  const job = c.child('batch/v1', 'Job', {
    spec: {
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: c.spec.image, env }] } },
    },
  })
  const report = c.child('v1', 'ConfigMap', { data: { migrated: c.spec.image } }, { after: [job] })
  return [service, job, report]
})
