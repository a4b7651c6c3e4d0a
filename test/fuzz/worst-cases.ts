// Requests that cost a server the most, by construction: each brings no more than a request may.

import type { WorstCase } from './worst-case.ts'
import { definitionCases } from './worst-definitions.ts'
import { listCases, metadataCases } from './worst-metadata.ts'
import { patchCases } from './worst-patches.ts'
import { ruleCases } from './worst-rules.ts'
import { schemaCases } from './worst-schemas.ts'
import { textCases } from './worst-texts.ts'

export const worstCases: readonly WorstCase[] = [
  ...textCases,
  ...metadataCases,
  ...listCases,
  ...patchCases,
  ...schemaCases,
  ...definitionCases,
  ...ruleCases,
]
