// The past of objects, pure: generations, what a rollback and an undelete send, and why an object is as it is. For the command line
// and the dashboard.

export { comparable } from './comparable.ts'
export { type HistoryEntry, type KeptObject, labelOf, type ObjectHistory, type ObjectLife } from './entry.ts'
export { type FactReader, gatherFacts, managedEntries } from './gather-facts.ts'
export { type LineEdit, lineEdits } from './line-edits.ts'
export { maskSecrets } from './mask-secrets.ts'
export { type Restored, restoreEvent } from './restore-event.ts'
export { type Owner, ownersOf, rolledBack, undeleted } from './restored.ts'
export {
  type ChangeStep,
  changeText,
  type Facts,
  MAX_DEPTH,
  type RunStep,
  refKey,
  type Step,
  shownObject,
  type ToldRun,
  type TriggerStep,
  tellStory,
  triggeringObjects,
  writesText,
} from './story.ts'
