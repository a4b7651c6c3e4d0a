// Generates TypeScript types from a server's OpenAPI documents. Programs use `homeostat types`.

export { kindFiles } from './kind-files.ts'
export type { OpenApiDocument, Schema } from './openapi.ts'
export { readDocuments } from './read-documents.ts'
export { type TypeFile, typeFile } from './type-file.ts'
