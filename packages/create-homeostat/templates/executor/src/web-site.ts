// The kind WebSite and its operator: a page is published in a folder of the machine on which this executor runs.

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { operator } from '@homeostat/operator'
import { z } from 'zod'

/** `folder` is where pages are published; whoever serves them, does it from there. */
export const webSiteOperator = (folder: string) =>
  operator(
    'example.com/v1/WebSite',
    {
      spec: z.object({
        title: z.string().min(1).describe('The heading of the page.').meta({ column: true }),
        text: z.string().default('').describe('What stands under the heading.'),
      }),
      status: z.object({ file: z.string(), publishedBy: z.string() }),
    },
    // Called for each change of the object, and from time to time. It may be called twice for the same change, so that
    // what it does must be the same when it is done again.
    async ({ name, namespace, spec, signal, log }) => {
      const site = join(folder, namespace, name)
      const file = join(site, 'index.html')
      await mkdir(site, { recursive: true })
      await writeFile(file, page(spec.title, spec.text), { signal })
      log.info({ file }, 'published')
      return { status: { file, publishedBy: hostname() } }
    },
    // Called when the object is deleted, which then is gone only after this succeeded.
    { finalize: ({ name, namespace }) => rm(join(folder, namespace, name), { recursive: true, force: true }) },
  )

function page(title: string, text: string): string {
  return `<!doctype html>\n<title>${escapeHtml(title)}</title>\n<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(text)}</p>\n`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
