// A person with a browser, for an issuer's pages: follows redirects, keeps cookies, and fills in each form as `ada`.

import { once } from 'node:events'
import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { text } from 'node:stream/consumers'

interface Page {
  readonly url: URL
  readonly status: number
  readonly body: string
}

const MOST_STEPS = 20

/** Returns the last page: one without a form. */
export async function visit(start: string, ca: string): Promise<Page> {
  const cookies = new Map<string, string>()
  let page = await open(new URL(start), undefined)
  for (let step = 0; step < MOST_STEPS; step++) {
    const form = /<form[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/s.exec(page.body)
    if (form === null) return page
    const [, action = '', inside = ''] = form
    page = await open(new URL(decoded(action), page.url), new URLSearchParams(fieldsOf(inside)).toString())
  }
  throw new Error(`the pages of ${start} do not end`)

  async function open(url: URL, form: string | undefined): Promise<Page> {
    const sent = (url.protocol === 'https:' ? secureRequest : plainRequest)(url, {
      method: form === undefined ? 'GET' : 'POST',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ca,
      agent: false,
    })
    sent.end(form)
    const [response] = await once(sent, 'response')
    const body = await text(response)
    for (const cookie of response.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const { location } = response.headers
    if (location !== undefined) return open(new URL(location, url), undefined)
    return { url, status: response.statusCode, body }
  }
}

function fieldsOf(form: string): [string, string][] {
  return [...form.matchAll(/<(?:input|button)[^>]*>/g)].flatMap(([tag]) => {
    const name = /\bname="([^"]*)"/.exec(tag)?.[1]
    if (name === undefined || name === 'abort') return []
    const typed = name === 'login' || name === 'password' ? 'ada' : ''
    return [[name, decoded(/\bvalue="([^"]*)"/.exec(tag)?.[1] ?? typed)] as [string, string]]
  })
}

function decoded(html: string): string {
  return html.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'")
}
