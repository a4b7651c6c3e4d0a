// Tells the story, or runs the operator against the server of the kubeconfig: `npm run example -- homelab [operator]`.

import { runOperator } from './operator.ts'
import { tellStory } from './story.ts'

try {
  if (process.argv[2] === 'operator') await runOperator()
  else await tellStory((line) => process.stdout.write(`${line}\n`))
} catch (error) {
  process.stderr.write(`homelab: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
