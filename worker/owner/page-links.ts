/** `/page-links`: the links to pages for people. Only the owner makes one. `test/worker/page-links/owner.test.ts` has the cases. @module */

import { resolvePath } from '#core/path.ts'
import { quoteValue } from '#core/quote.ts'
import * as z from 'zod/mini'
import { problem, refuse } from '../errors/respond.ts'
import { MAX_PAGE_LINK_SECONDS } from '../page-links/limits.ts'
import type { PageLinkRefusal } from '../page-links/page-links.ts'
import type { PageLink } from '../page-links/table.ts'
import { BASE_HEADER } from '../sessions/links.ts'
import {
  defineOwnerAct,
  defineOwnerActWith,
  type Asked,
  type OwnerAct,
  type OwnerServices,
} from './act.ts'
import * as fields from './fields.ts'

const WEEK = 7 * 24 * 60 * 60

const Wanted = z.strictObject({
  path: fields.text,
  live: z._default(z.boolean(), false),
  ttl_seconds: z._default(z.int().check(z.minimum(1), z.maximum(MAX_PAGE_LINK_SECONDS)), WEEK),
  version: z.optional(z.int().check(z.minimum(1))),
})

/** The links, a new one, and the end of one. */
export const PAGE_LINK_ACTS: readonly OwnerAct[] = [
  defineOwnerAct('list_page_links', ({ answer }, { pageLinks }) =>
    answer({ links: pageLinks.list().map(toJson) }),
  ),
  defineOwnerActWith('make_page_link', { input: Wanted, run: make }),
  defineOwnerAct('end_page_link', end),
]

const toJson = ({
  id,
  path,
  kind,
  isLive,
  version,
  created,
  expires,
  opened,
  lastOpened,
}: PageLink) => ({
  ...{ id, path, kind, live: isLive, version, created, expires, opened },
  last_opened: lastOpened,
})

async function make(
  { request, input, note, answer }: Asked<'make_page_link', z.infer<typeof Wanted>>,
  { pageLinks, openWhole }: OwnerServices,
): Promise<Response> {
  const { live: isLive, ttl_seconds: seconds, version } = input
  const path = resolvePath(input.path)
  if (!path.ok) return problem({ reason: 'bad_path', text: input.path, detail: path.error })
  const wanted = { path: path.value, isLive, seconds, version }
  const made = await pageLinks.make(wanted, openWhole())
  if (!made.ok) return refuseLink(made.error, path.value)
  const { link, secret, files, hidden } = made.value
  const until = new Date(link.expires).toISOString()
  const how = isLive ? 'as it changes' : 'as it is now'
  const intent = `Show ${quoteValue(link.path)} to everyone with a link, ${how}, until ${until}`
  note({ tool: 'make_page_link', intent, request: input, paths: [link.path] })
  const url = `${pagesOf(request)}.${secret}/`
  return answer({ ...toJson(link), url, files, hidden }, { status: 201 })
}

/** The beginning of the URL of every page link to this workspace, as the owner reaches it. */
const pagesOf = ({ headers }: Request): string =>
  (headers.get(BASE_HEADER) ?? '').replace(/^(https?:\/\/[^/]+)\/s\//, '$1/p/')

function refuseLink(refusal: PageLinkRefusal, path: Parameters<typeof quoteValue>[0]): Response {
  switch (refusal.reason) {
    case 'not_found':
      return refuse(404, 'NOT_FOUND', `Cannot make a link: ${path} does not exist.`)
    case 'changed': {
      const message = `Cannot make a link: the file is at version ${refusal.version} now. Look at it again, then repeat.`
      return refuse(409, 'VERSION_CONFLICT', message)
    }
    case 'full': {
      const message = `Cannot make a link: there are ${refusal.limit} page links. End one under Sessions first.`
      return refuse(409, 'PAGE_LINKS_FULL', message)
    }
    case 'too_many_files': {
      const message = `Cannot keep this folder as it is: it has more than ${refusal.limit} files. Choose a smaller folder, or let the page follow changes (live).`
      return refuse(422, 'TOO_MANY_PAGE_FILES', message)
    }
  }
}

function end(
  { segment, note, answer }: Asked<'end_page_link'>,
  { pageLinks }: OwnerServices,
): Response {
  const link = pageLinks.end(segment('link'))
  if (!link)
    return refuse(404, 'NOT_FOUND', 'Cannot end the link: it does not exist, or has ended.')
  const intent = `End the link to the page of ${quoteValue(link.path)}`
  note({ tool: 'end_page_link', intent, request: link.id, paths: [link.path] })
  return answer(null)
}
