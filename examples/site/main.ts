import { run } from '@homeostat/operator'
import { site } from './site.ts'

const operators = run(site, { name: 'ex-operator' })
process.once('SIGTERM', () => operators.close())
process.once('SIGINT', () => operators.close())
await operators.done.catch(() => process.exit(1)) // the log says why
