import { runPipeline } from './pipeline.ts'

await runPipeline((line) => process.stdout.write(`${line}\n`))
