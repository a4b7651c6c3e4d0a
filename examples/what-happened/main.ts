import { tellWhatHappened } from './what-happened.ts'

await tellWhatHappened((text) => process.stdout.write(text))
