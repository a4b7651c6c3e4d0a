// The rules for schemas of definitions, apart from the rest: a server needs them only when a definition is written.

export {
  type DefinitionCheck,
  type DefinitionOptions,
  definitionSteps,
  formatWarnings,
} from './validate-definition-schema.ts'
