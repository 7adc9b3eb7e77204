/**
 * The links to pages for people, each with its openings, its end and a button that ends it.
 * `test/host/console/page-links.test.tsx` tests it.
 *
 * @module
 */

import type { ShownPageLink } from '#core/owner/answers/page-links.ts'
import { visible } from '#core/visible.ts'
import { revision } from '../connect/connection.ts'
import { basePath, ownBase } from '../connect/workspace.ts'
import { sendAct } from '../owner/send-act.ts'
import { now } from '../ui/clock.ts'
import { endListed } from '../ui/end-listed.ts'
import { formatCount, formatRemaining } from '../ui/format.ts'
import { useLoad } from '../ui/load.ts'
import { Badge, Fault, When } from '../ui/parts.tsx'
import { Path } from '../ui/path.tsx'

function usePageLinks() {
  const base = ownBase.value
  return useLoad(
    async (signal) => (base === null ? null : sendAct(base, 'list_page_links', { signal })),
    [base, revision.value],
  )
}

/** Shows all page links of the workspace; nothing without any. */
export function AllPageLinks() {
  const { value, error, reload } = usePageLinks()
  if (error) return <Fault what="Cannot read the links to pages" error={error} retry={reload} />
  if (!value || value.links.length === 0) return null
  return (
    <section class="card pagelinks" aria-labelledby="pagelinks">
      <header>
        <h2 id="pagelinks">Pages for people</h2>
      </header>
      <p class="faint">
        Files and folders that everyone with the link can read in a browser. An ended link shows
        nothing any more.
      </p>
      <ul class="lines" aria-label="Pages for people">
        {value.links.map((link) => (
          <Line key={link.id} link={link} onEnded={reload} />
        ))}
      </ul>
    </section>
  )
}

interface LineProps {
  readonly link: ShownPageLink
  readonly onEnded: () => void
}

function Line({ link, onEnded }: LineProps) {
  const { id, path, live, version, expires } = link
  const end = async () => {
    await endListed({ attribute: 'data-end-page-link', id }, () =>
      sendAct(basePath.value, 'end_page_link', { segments: { link: id } }),
    )
    onEnded()
  }
  return (
    <li class="row apart">
      <span>
        <Path text={path} /> <Badge>{live ? 'follows changes' : `version ${version}`}</Badge>{' '}
        <Badge>{formatRemaining(expires - now.value)} left</Badge> <Openings link={link} />
      </span>
      <button type="button" class="button small" data-end-page-link={id} onClick={() => void end()}>
        End now<span class="unseen"> the link to {visible(path)}</span>
      </button>
    </li>
  )
}

function Openings({ link: { opened, last_opened: last } }: { readonly link: ShownPageLink }) {
  if (last === null) return <span class="faint">not opened yet</span>
  return (
    <span class="faint">
      opened {formatCount(opened, 'time')}, last <When at={last} />
    </span>
  )
}
