export type { AddOn } from './add-on.ts'
